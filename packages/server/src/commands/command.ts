import type { Core } from '../assembly/core.js';
import type { Config } from '../config/config.js';
import type { StorageReports } from '../records/storage-report.js';

/** Parts of the service that a command may use. */
export interface CommandParts {
  readonly core: Core;
  readonly storageReport: StorageReports;
  /** Retention in days for each kind of record, such as executions. */
  readonly retention: Config['retention'];
  /** Writes a consistent copy of the database to a new file. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** Names of the database migrations that ran when this command opened the database. */
  readonly migrated: readonly string[];
}

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** True if the command fails with a usage error when the option is missing. */
  readonly isRequired?: true;
  /** Placeholder for the option's value in the help text, such as `URL`. */
  readonly value?: string;
  readonly help: string;
}

/** Arguments and options of one command line. */
export interface CommandInput {
  /** Returns the value of a positional argument (listed in `Command.takes`) or of a required option. */
  argument(name: string): string;
  /** Returns the value of an option; `undefined` if the option is not set. */
  text(option: string): string | undefined;
  /** Returns all values of a repeatable option; `undefined` if the option is not set. */
  texts(option: string): readonly string[] | undefined;
  /** True if an option without a value, such as `--yes`, is set. */
  has(option: string): boolean;
}

/** Output of a command. The command line prints `data` as JSON with `--json`, and `text` otherwise. */
export interface CommandResult {
  readonly data: unknown;
  readonly text: string;
}

/** Line of a streamed output. JSON output prints only lines with `data`; text output prints only lines with `text`. */
export type CommandLine = Partial<CommandResult>;

interface Described {
  /** Words of the command on the command line, such as `apps create`. */
  readonly name: string;
  readonly summary: string;
  /** Names of the positional arguments, in order. All of them are required. */
  readonly takes?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
}

/** Command that uses the database of the service. */
export interface DatabaseCommand extends Described {
  /** True if the command may create the database when none exists. Default: false. */
  readonly makesDatabase?: boolean;
  /**
   * `stopped`: with SQLite, the service must not run during the command. Commands that refresh or revoke tokens need
   * this, because a token refresh is locked only within one process.
   */
  readonly needsService: 'any' | 'stopped';
  /**
   * Runs the command. A command with a long output returns an iterable of lines, because the whole output may exceed
   * the memory.
   */
  run(parts: CommandParts, input: CommandInput): Promise<CommandResult | AsyncIterable<CommandLine>>;
}

/**
 * URL of a running service, and settings of the environment, for a command that calls the service as an application.
 */
export interface ClientParts {
  /** URL of the service. */
  readonly environmentUrl: string;
  readonly egressProxies: Config['egressProxies'];
  readonly env: NodeJS.ProcessEnv;
  /** Aborts when the user ends the command. */
  readonly signal: AbortSignal;
}

/** Command that calls a running service as an application. It opens no database. */
export interface ClientCommand extends Described {
  readonly needsService: 'running';
  /** Additional paragraph of the help text, such as the variables that the command reads. */
  readonly notes: string;
  run(parts: ClientParts, input: CommandInput): AsyncIterable<CommandLine>;
}

export type Command = DatabaseCommand | ClientCommand;

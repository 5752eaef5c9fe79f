import type { Authorization } from '../assembly/authorization.js';
import type { Config } from '../config/config.js';
import type { StorageReports } from '../records/storage-report.js';

/** Parts that a command gets. */
export interface CommandParts {
  readonly authorization: Authorization;
  readonly storageReport: StorageReports;
  /** Days of retention by kind of record. */
  readonly keep: Config['keep'];
  /** Copies a consistent snapshot of the database into a new file. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** Names of the migrations that ran when the database was opened. */
  readonly migrated: readonly string[];
}

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** The command refuses to run without the option. */
  readonly isRequired?: true;
  /** Placeholder for the value in the help, such as `URL`. */
  readonly value?: string;
  readonly help: string;
}

/** Arguments and options of one call. */
export interface CommandInput {
  /** Value of an argument in `takes`, or of a required option. */
  argument(name: string): string;
  /** Value of an option; `undefined` if it is not set. */
  text(option: string): string | undefined;
  /** Values of an option that may be repeated; `undefined` if it is not set. */
  texts(option: string): readonly string[] | undefined;
  /** True if an option without a value is set. */
  has(option: string): boolean;
}

/** Output of a command: `data` with `--json`, `text` otherwise. */
export interface CommandResult {
  readonly data: unknown;
  readonly text: string;
}

/** One line of a long output. JSON output has the lines with `data`; text output has the lines with `text`. */
export type CommandLine = Partial<CommandResult>;

export interface Command {
  /** Words of the command, such as `apps create`. */
  readonly name: string;
  readonly summary: string;
  /** Names of the arguments, in order. */
  readonly takes?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** True if the command may create a database. Default: false. */
  readonly makesDatabase?: boolean;
  /**
   * `stopped`: with SQLite, the service must not run. Commands that refresh or revoke tokens need this, because only the
   * process that refreshes a token knows about it.
   */
  readonly needsService: 'any' | 'stopped';
  /** Returns an iterable of lines where the output may exceed the memory. */
  run(parts: CommandParts, input: CommandInput): Promise<CommandResult | AsyncIterable<CommandLine>>;
}

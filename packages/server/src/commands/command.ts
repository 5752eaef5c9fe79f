import type { Authorization } from '../assembly/authorization.js';
import type { Config } from '../config/config.js';
import type { StorageReports } from '../records/storage-report.js';

/** What commands work with. */
export interface CommandParts {
  readonly authorization: Authorization;
  readonly storageReport: StorageReports;
  /** For how many days what is kept. */
  readonly keep: Config['keep'];
  /** Copies the database into a new file, as it is at one moment. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** The changes of the tables that were made as the database was opened, by name. */
  readonly migrated: readonly string[];
}

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** The command is not run without it. */
  readonly isRequired?: true;
  /** What the help calls its value, such as `URL`. */
  readonly value?: string;
  readonly help: string;
}

/** What a command was called with. */
export interface CommandInput {
  /** The argument of that name in `takes`, or the value of a required option. */
  argument(name: string): string;
  /** The value of an option; `undefined` when it was not given. */
  text(option: string): string | undefined;
  /** The values of an option that may be given several times; `undefined` when it was not given. */
  texts(option: string): readonly string[] | undefined;
  /** Whether an option without a value was given. */
  has(option: string): boolean;
}

/** What a command prints: `data` with `--json`, `text` otherwise. */
export interface CommandResult {
  readonly data: unknown;
  readonly text: string;
}

/** The same for one of many; what it does not have is not printed. */
export type CommandLine = Partial<CommandResult>;

export interface Command {
  /** Its words, such as `apps create`. */
  readonly name: string;
  readonly summary: string;
  /** The names of its arguments, in order. */
  readonly takes?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** May make a database where there is none. */
  readonly makesDatabase?: boolean;
  /**
   * On SQLite: whether the service has to be stopped. It must be `true` for a command that refreshes or revokes tokens,
   * because a process alone knows which of them are being refreshed.
   */
  readonly needsService: 'any' | 'stopped';
  /** Lines, as they come, for what may be longer than memory. */
  run(parts: CommandParts, input: CommandInput): Promise<CommandResult | AsyncIterable<CommandLine>>;
}

import Sqlite from 'better-sqlite3';

export interface Statement {
  readonly sql: string;
  /**
   * Parameters of the SQL statement. For a list of lists, the statement runs once for each inner list; either all runs
   * take effect or none does.
   */
  readonly parameters: readonly unknown[] | readonly (readonly unknown[])[];
  /** True for a statement inside a transaction. It fails if the transaction has already ended. */
  readonly inTransaction: boolean;
  /**
   * If true, `begin immediate` runs before the statement, which is then the first one of a transaction. Default: false.
   */
  readonly begins?: boolean;
}

export interface Outcome {
  readonly rows: readonly unknown[];
  readonly changes?: number;
}

const areLists = (parameters: Statement['parameters']): parameters is readonly (readonly unknown[])[] =>
  Array.isArray(parameters[0]);

/** Open SQLite file. Its functions are synchronous and block the thread in which they run. */
export interface SqliteFile {
  readonly run: (statement: Statement) => Outcome;
  readonly close: () => void;
}

// Maximum time in milliseconds to wait at the start while another process locks the file. Blocking is harmless then,
// because no request waits yet.
const OPEN_TIMEOUT_MS = 5000;
const MAX_PREPARED_STATEMENTS = 500;
// Size in bytes to which SQLite truncates the journal after a large transaction.
const JOURNAL_BYTES = 64 * 2 ** 20;

/** Part of the error message for a database file that belongs to another program. */
export const FOREIGN_TABLES = 'it contains tables of another program';

/**
 * Throws unless the file is empty or contains the service's migration table. Runs before anything in the file is
 * changed.
 */
function checkOwner(file: Sqlite.Database): void {
  const tables = file.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  if (tables.length === 0 || tables.includes('kysely_migration')) return;
  file.close();
  throw new Sqlite.SqliteError(FOREIGN_TABLES, 'SQLITE_NOTADB');
}

/**
 * Opens a file in WAL mode. Each commit is flushed to the disk before it counts as done. Deleted rows are overwritten
 * with zeros.
 */
export function openFile(path: string): SqliteFile {
  const file = new Sqlite(path, { timeout: OPEN_TIMEOUT_MS });
  checkOwner(file);
  // Enables incremental vacuum, which releases free pages without rewriting the file. This takes effect only in a new
  // file.
  file.pragma('auto_vacuum = INCREMENTAL');
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  file.pragma('secure_delete = ON');
  file.pragma(`journal_size_limit = ${JOURNAL_BYTES}`);
  // Makes later statements fail immediately if the file is locked. The driver waits and retries instead, because its
  // wait does not block the thread.
  file.pragma('busy_timeout = 0');
  const prepared = new Map<string, Sqlite.Statement<unknown[]>>();

  function prepare(sql: string): Sqlite.Statement<unknown[]> {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= MAX_PREPARED_STATEMENTS) prepared.clear();
    const statement = file.prepare<unknown[]>(sql);
    prepared.set(sql, statement);
    return statement;
  }

  const runEach = file.transaction(
    (statement: Sqlite.Statement<unknown[]>, lists: readonly (readonly unknown[])[]): Outcome => {
      let changes = 0;
      for (const list of lists) changes += statement.run(...list).changes;
      return { rows: [], changes };
    },
  );

  return {
    run: ({ sql, parameters, inTransaction, begins = false }) => {
      if (begins) prepare('begin immediate').run();
      if (inTransaction && !file.inTransaction) {
        // Does nothing if SQLite has already rolled back the transaction because the disk is full. A second rollback
        // would fail and hide the original error.
        if (sql === 'rollback') return { rows: [] };
        throw new Sqlite.SqliteError('the transaction has already ended', 'SQLITE_ABORT');
      }
      const statement = prepare(sql);
      if (areLists(parameters)) return runEach(statement, parameters);
      if (statement.reader) return { rows: statement.all(...parameters) };
      // Runs pragmas with `exec`, because some return one row per step, and the library's `run` would execute only the
      // first step.
      if (sql.startsWith('pragma ')) {
        file.exec(sql);
        return { rows: [] };
      }
      return { rows: [], changes: statement.run(...parameters).changes };
    },
    close: () => file.close(),
  };
}

import Sqlite from 'better-sqlite3';

export interface Statement {
  readonly sql: string;
  /** A list of lists runs the statement once for each list, all of them or none. */
  readonly parameters: readonly unknown[] | readonly (readonly unknown[])[];
  /** True for a statement that must not run outside its transaction. */
  readonly inTransaction: boolean;
}

export interface Outcome {
  readonly rows: readonly unknown[];
  readonly changes?: number;
}

const areLists = (parameters: Statement['parameters']): parameters is readonly (readonly unknown[])[] =>
  Array.isArray(parameters[0]);

/** Open file. Its calls are synchronous. */
export interface SqliteFile {
  readonly run: (statement: Statement) => Outcome;
  readonly close: () => void;
}

// Time to wait for another process that has locked the file. At the start, no request waits.
const OPEN_TIMEOUT_MS = 5000;
const MOST_PREPARED = 500;
// The journal is truncated to this size after a large transaction.
const JOURNAL_BYTES = 64 * 2 ** 20;

/** Checks that a file belongs to this service before it is changed: it is empty, or has the table of migrations. */
function checkOwner(file: Sqlite.Database): void {
  const tables = file.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  if (tables.length === 0 || tables.includes('kysely_migration')) return;
  file.close();
  throw new Sqlite.SqliteError('it holds the tables of another program', 'SQLITE_NOTADB');
}

/** Opens a file in WAL mode. Commits are on the disk when they return, and deleted rows are overwritten. */
export function openFile(path: string): SqliteFile {
  const file = new Sqlite(path, { timeout: OPEN_TIMEOUT_MS });
  checkOwner(file);
  // Works for a new file only: its free pages can be given back without writing it anew.
  file.pragma('auto_vacuum = INCREMENTAL');
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  file.pragma('secure_delete = ON');
  file.pragma(`journal_size_limit = ${JOURNAL_BYTES}`);
  // Statements report a locked file at once from now on, because the driver waits, where it blocks nobody.
  file.pragma('busy_timeout = 0');
  const prepared = new Map<string, Sqlite.Statement<unknown[]>>();

  function prepare(sql: string): Sqlite.Statement<unknown[]> {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= MOST_PREPARED) prepared.clear();
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
    run: ({ sql, parameters, inTransaction }) => {
      if (inTransaction && !file.inTransaction) {
        // SQLite itself rolls back when the disk is full. Another rollback would fail and hide the reason.
        if (sql === 'rollback') return { rows: [] };
        throw new Sqlite.SqliteError('the transaction is over', 'SQLITE_ABORT');
      }
      const statement = prepare(sql);
      if (areLists(parameters)) return runEach(statement, parameters);
      if (statement.reader) return { rows: statement.all(...parameters) };
      // Some pragmas work in steps, and the library would run the first step only.
      if (sql.startsWith('pragma ')) {
        file.exec(sql);
        return { rows: [] };
      }
      return { rows: [], changes: statement.run(...parameters).changes };
    },
    close: () => file.close(),
  };
}

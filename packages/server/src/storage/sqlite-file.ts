import Sqlite from 'better-sqlite3';

export interface Statement {
  readonly sql: string;
  /** Lists of them where it is to run once for each: all of these runs, or none. */
  readonly parameters: readonly unknown[] | readonly (readonly unknown[])[];
  /** It belongs to a transaction: it must not run without it. */
  readonly inTransaction: boolean;
}

export interface Outcome {
  readonly rows: readonly unknown[];
  readonly changes?: number;
}

const areLists = (parameters: Statement['parameters']): parameters is readonly (readonly unknown[])[] =>
  Array.isArray(parameters[0]);

/** An open file. Every call holds whoever makes it until it is done. */
export interface SqliteFile {
  readonly run: (statement: Statement) => Outcome;
  readonly close: () => void;
}

// How long another process may hold a new file, while nobody else waits.
const OPEN_TIMEOUT_MS = 5000;
const MOST_PREPARED = 500;
// What a large transaction left of the journal is given back.
const JOURNAL_BYTES = 64 * 2 ** 20;

/** Before anything is changed in it. A file of ours has this table from its first change on. */
function checkOwner(file: Sqlite.Database): void {
  const tables = file.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  if (tables.length === 0 || tables.includes('kysely_migration')) return;
  file.close();
  throw new Sqlite.SqliteError('it holds the tables of another program', 'SQLITE_NOTADB');
}

/** In write-ahead mode: commits are on the disk when they return, and what is deleted is overwritten. */
export function openFile(path: string): SqliteFile {
  const file = new Sqlite(path, { timeout: OPEN_TIMEOUT_MS });
  checkOwner(file);
  // Of a new file: what is deleted can be given back without writing everything anew.
  file.pragma('auto_vacuum = INCREMENTAL');
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  file.pragma('secure_delete = ON');
  file.pragma(`journal_size_limit = ${JOURNAL_BYTES}`);
  // From here on whoever finds the file locked is told at once, and waits where it holds up nobody.
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
        // SQLite itself rolls back when the disk is full; another rollback would fail and hide why.
        if (sql === 'rollback') return { rows: [] };
        throw new Sqlite.SqliteError('the transaction is over', 'SQLITE_ABORT');
      }
      const statement = prepare(sql);
      if (areLists(parameters)) return runEach(statement, parameters);
      if (statement.reader) return { rows: statement.all(...parameters) };
      // Some pragmas work in steps, of which the library would take the first.
      if (sql.startsWith('pragma ')) {
        file.exec(sql);
        return { rows: [] };
      }
      return { rows: [], changes: statement.run(...parameters).changes };
    },
    close: () => file.close(),
  };
}

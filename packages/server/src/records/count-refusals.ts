import type { ExecutionRow } from '../storage/schema.js';

/** Execution to write. If its row is already stored, `added` is the number of calls since the last write of the row. */
export interface WrittenExecution extends ExecutionRow {
  /** Number of calls of this row that the call statistics do not include yet. Default: `count`, for a new row. */
  readonly added?: number;
}

interface Entry {
  readonly row: ExecutionRow;
  count: number;
  /** Number of calls, out of `count`, that have already been passed to `write`. */
  written: number;
}

interface Keys {
  readonly entries: Map<string, Entry>;
  /** Row that counts all other refused calls, after the application has reached `MOST_KEYS` rows. Undefined before. */
  rest: Entry | undefined;
}

export interface CountRefusalsOptions {
  readonly write: (execution: WrittenExecution) => void;
}

const MINUTE_MS = 60_000;
const WRITE_MS = 1000;
/**
 * Maximum number of rows for refused calls per application and minute. One more row counts all further refused calls.
 */
export const MOST_KEYS = 100;

/** Value of the column `cause` in the row that counts the refused calls beyond `MOST_KEYS`. */
export const REST_CAUSE = JSON.stringify({ isRest: true });

// Error codes of calls that never share a row. A person follows up each of these failures, or the health of the
// connection depends on their times. `null`: the call succeeded.
const SINGLE: readonly (string | null)[] = [
  null,
  'unavailable',
  'connection_failed',
  'upstream_timeout',
  'upstream_failed',
  'internal_error',
  'approval_required',
  'approval_denied',
];

/**
 * Returns true for a call that the service refused before it sent anything to an upstream. A caller can repeat such
 * calls at almost no cost.
 */
export const isRefusal = ({ accountId, attempts, errorCode }: ExecutionRow): boolean =>
  attempts === 0 && (accountId === null || !SINGLE.includes(errorCode)) && errorCode !== null;

const keyOf = (row: ExecutionRow): string => {
  const { accountId, cause, connectionName, errorCode, identifier, kind, method, path, toolName } = row;
  return JSON.stringify([
    accountId,
    connectionName,
    identifier,
    kind,
    toolName,
    method,
    path,
    errorCode,
    cause,
  ]);
};

const toRest = (row: ExecutionRow): ExecutionRow => ({
  ...row,
  accountId: null,
  connectionName: '',
  identifier: null,
  toolName: null,
  method: null,
  path: null,
  cause: REST_CAUSE,
});

/**
 * Creates the recorder of refused calls. Equal refused calls of one minute share one row with a `count`, so that a
 * flood of them costs a few rows. The first call is written at once, and the growing `count` within a second.
 */
export function createCountRefusals({ write }: CountRefusalsOptions) {
  const applications = new Map<string, Keys>();
  const changed = new Set<Entry>();
  let minute = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Writes the `count` of each row that has counted more calls since the last write. */
  function writeCounts(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const entry of changed) {
      write({ ...entry.row, count: entry.count, added: entry.count - entry.written });
      entry.written = entry.count;
    }
    changed.clear();
  }

  function beginMinute(startedAt: number): void {
    const current = Math.floor(startedAt / MINUTE_MS);
    if (current === minute) return;
    writeCounts();
    applications.clear();
    minute = current;
  }

  function keysOf(applicationId: string): Keys {
    const known = applications.get(applicationId);
    if (known) return known;
    const keys: Keys = { entries: new Map(), rest: undefined };
    applications.set(applicationId, keys);
    return keys;
  }

  function grow(entry: Entry): void {
    entry.count += 1;
    changed.add(entry);
    timer ??= setTimeout(writeCounts, WRITE_MS).unref();
  }

  function begin(row: ExecutionRow): Entry {
    write(row);
    return { row, count: 1, written: 1 };
  }

  function add(row: ExecutionRow): void {
    beginMinute(row.startedAt);
    const keys = keysOf(row.applicationId);
    const key = keyOf(row);
    const known = keys.entries.get(key);
    if (known) grow(known);
    else if (keys.entries.size < MOST_KEYS) keys.entries.set(key, begin(row));
    else if (keys.rest) grow(keys.rest);
    else keys.rest = begin(toRest(row));
  }

  return { add, writeCounts };
}

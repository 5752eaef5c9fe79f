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
  /** Number of rows by user. */
  readonly ofUsers: Map<string, number>;
}

export interface CountRefusalsOptions {
  readonly write: (execution: WrittenExecution) => void;
}

const MINUTE_MS = 60_000;
const WRITE_MS = 1000;
/**
 * Maximum number of rows for different refused calls per user and minute. One more row for each error code counts the
 * further refused calls of the user, so that one user cannot hide the failures of others.
 */
export const MAX_PER_USER = 25;
/**
 * Maximum number of rows for refused calls per application and minute. One more row for each error code counts all
 * further refused calls.
 */
export const MAX_KEYS = 300;

/** Value of the column `cause` in a row that counts refused calls beyond `MAX_PER_USER` or `MAX_KEYS`. */
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

const userOf = ({ accountId, identifier }: ExecutionRow): string => JSON.stringify([accountId, identifier]);

/** Returns the row that counts different refused calls of one user and error code. */
const toRestOfUser = (row: ExecutionRow): ExecutionRow => ({
  ...row,
  connectionName: '',
  toolName: null,
  method: null,
  path: null,
  cause: REST_CAUSE,
});

/** Returns the row that counts different refused calls of all users with one error code. */
const toRest = (row: ExecutionRow): ExecutionRow => ({
  ...toRestOfUser(row),
  accountId: null,
  identifier: null,
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
    const keys: Keys = { entries: new Map(), ofUsers: new Map() };
    applications.set(applicationId, keys);
    return keys;
  }

  function grow(entry: Entry): void {
    entry.count += 1;
    changed.add(entry);
    timer ??= setTimeout(writeCounts, WRITE_MS).unref();
  }

  /** Returns the row for a call without a row: its own, or one for further calls of the user or of all users. */
  function chooseRow({ entries, ofUsers }: Keys, row: ExecutionRow): ExecutionRow {
    if (entries.size >= MAX_KEYS) return toRest(row);
    const user = userOf(row);
    const count = ofUsers.get(user) ?? 0;
    if (count >= MAX_PER_USER) return toRestOfUser(row);
    ofUsers.set(user, count + 1);
    return row;
  }

  /** Counts a refused call. Returns the id of the row that counts it. */
  function add(row: ExecutionRow): string {
    beginMinute(row.startedAt);
    const keys = keysOf(row.applicationId);
    const chosen = keys.entries.get(keyOf(row))?.row ?? chooseRow(keys, row);
    const key = keyOf(chosen);
    const known = keys.entries.get(key);
    if (known) {
      grow(known);
      return known.row.id;
    }
    write(chosen);
    keys.entries.set(key, { row: chosen, count: 1, written: 1 });
    return chosen.id;
  }

  return { add, writeCounts };
}

import type { ExecutionRow } from '../storage/schema.js';

/**
 * Execution to write. An update of a row that is written already has the number of calls that it adds to the
 * statistics.
 */
export interface WrittenExecution extends ExecutionRow {
  /** Number of calls that the statistics do not count yet. Default: `count`. */
  readonly added?: number;
}

interface Entry {
  readonly row: ExecutionRow;
  count: number;
  /** Number of calls that have been passed to `write`. */
  written: number;
}

interface Keys {
  readonly entries: Map<string, Entry>;
  /** Row of all calls that have no row of their own, because the application has too many keys. */
  rest: Entry | undefined;
}

export interface CountRefusalsOptions {
  readonly write: (execution: WrittenExecution) => void;
}

const MINUTE_MS = 60_000;
const WRITE_MS = 1000;
/** Maximum number of rows with refused calls per application and minute. One more row counts all other calls. */
export const MOST_KEYS = 100;

/** Value of `cause` of a row that counts the refused calls beyond `MOST_KEYS`. */
export const REST_CAUSE = JSON.stringify({ isRest: true });

// Codes of failures that keep a row each, because a person follows them up one by one, or because the health of the
// connection depends on their times.
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
 * Creates the recorder of refused calls. Equal refusals of one minute share one row with their number, so that a flood
 * of refused calls costs a few rows. The first call is written at once, and the number follows within a second.
 */
export function createCountRefusals({ write }: CountRefusalsOptions) {
  const applications = new Map<string, Keys>();
  const changed = new Set<Entry>();
  let minute = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Writes the numbers of all rows that have grown since the last call. */
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

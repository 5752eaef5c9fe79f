import { ServiceError } from '../errors.js';
import { createWaitingRows } from './waiting-rows.js';

export interface WriteBehindParts<Row> {
  /** All of them or none; what is there already stays as it is. */
  readonly insert: (rows: readonly Row[]) => Promise<void>;
  /** Told when the database begins to be out of reach, and when an application's rows are refused. */
  readonly onError: (error: unknown) => void;
  /** Told of rows that were given up, and how many. */
  readonly onDropped: (count: number) => void;
}

/** Since the start of this process. */
export interface WriteCounts {
  readonly written: number;
  readonly dropped: number;
  readonly waiting: number;
}

export interface WriteBehind<Row> {
  /** Returns at once and never throws; the row is written within 100 ms, or when the database is back. */
  add(row: Row): void;
  /** Resolves when what waits now has been tried. */
  flush(): Promise<void>;
  counts(): WriteCounts;
  /** Tries what is left for the last time. */
  close(): Promise<void>;
}

const FLUSH_MS = 100;
// Twice as many cost a tenth less each, and hold the database for twice as long.
const FLUSH_ROWS = 500;
const MOST_AT_ONCE = 500;
const RETRY_MS = 1000;
/** Some 15 MiB. */
export const MOST_WAITING = 20_000;

const isOutage = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';

/** How many rows were refused: those of the applications alone with which something is wrong, such as that they are gone. */
async function insertApart<Row extends { readonly applicationId: string }>(
  { insert, onError }: Pick<WriteBehindParts<Row>, 'insert' | 'onError'>,
  rows: readonly Row[],
): Promise<number> {
  try {
    await insert(rows);
    return 0;
  } catch (error) {
    if (isOutage(error)) throw error;
    const owners = Map.groupBy(rows, ({ applicationId }) => applicationId);
    if (owners.size === 1) {
      onError(error);
      return rows.length;
    }
    let refused = 0;
    for (const own of owners.values()) refused += await insertApart({ insert, onError }, own);
    return refused;
  }
}

/** Writes rows in batches behind their callers' backs, and holds a bounded number of them while the database is slow or down. */
export function createWriteBehind<Row extends { readonly applicationId: string }>(
  parts: WriteBehindParts<Row>,
): WriteBehind<Row> {
  const waiting = createWaitingRows<Row>(MOST_WAITING);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isDown = false;
  let written = 0;
  let dropped = 0;
  let told = 0;

  async function writeWaiting(): Promise<void> {
    // As many as wait now: those that come meanwhile are for the next time.
    for (let left = waiting.size(); left > 0; ) {
      const rows = waiting.first(Math.min(left, MOST_AT_ONCE));
      const refused = await insertApart(parts, rows);
      isDown = false;
      written += rows.length - refused;
      dropped += refused;
      waiting.removeFirst(rows.length);
      left -= rows.length;
    }
  }

  function tell(): void {
    if (dropped > told) parts.onDropped(dropped - told);
    told = dropped;
  }

  function schedule(): void {
    if (writing || waiting.size() === 0) return;
    const isDue = !isDown && waiting.size() >= FLUSH_ROWS;
    if (isDue) void write();
    else timer ??= setTimeout(write, isDown ? RETRY_MS : FLUSH_MS).unref();
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writeWaiting()
      .catch((error: unknown) => {
        if (!isDown) parts.onError(error);
        isDown = true;
      })
      .finally(() => {
        writing = undefined;
        tell();
        schedule();
      });
    return writing;
  }

  async function flush(): Promise<void> {
    // What is under way may have begun before the last row came.
    if (writing) await writing;
    if (waiting.size() > 0) await (writing ?? write());
  }

  return {
    add: (row) => {
      if (!waiting.add(row)) dropped += 1;
      schedule();
    },
    flush,
    counts: () => ({ written, dropped, waiting: waiting.size() }),
    close: async () => {
      await flush();
      clearTimeout(timer);
      dropped += waiting.size();
      waiting.removeFirst(waiting.size());
      tell();
    },
  };
}

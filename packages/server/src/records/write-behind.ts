import { ServiceError } from '../errors.js';

export interface WriteBehindOptions<Row> {
  /** Inserts all rows or none; existing rows stay as they are. */
  readonly insert: (rows: readonly Row[]) => Promise<void>;
  /** Called when the database becomes unavailable, and when the rows of an application are refused. */
  readonly onError: (error: unknown) => void;
  /** Called with the number of rows that were dropped. */
  readonly onDropped: (count: number) => void;
}

/** Counts since the start of this process. */
export interface WriteCounts {
  readonly written: number;
  readonly dropped: number;
  readonly waiting: number;
}

interface OwnedRow {
  readonly applicationId: string;
}

const FLUSH_MS = 100;
// A batch of 1000 costs a tenth less per row, and blocks the database for twice as long.
const BATCH_ROWS = 500;
const RETRY_MS = 1000;
/** Maximum number of waiting rows: about 15 MiB. */
export const MAX_WAITING = 20_000;

const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'unavailable';

/**
 * Bounded buffer that is fair to applications. An application may use as much as it leaves free: half when it is alone. However
 * many applications fill their part, the next one has room.
 */
function createBuffer<Row extends OwnedRow>(capacity: number) {
  const rows: Row[] = [];
  const counts = new Map<string, number>();

  function count({ applicationId }: Row, change: number): void {
    const changed = (counts.get(applicationId) ?? 0) + change;
    if (changed === 0) counts.delete(applicationId);
    else counts.set(applicationId, changed);
  }

  return {
    /** Returns whether there was room. */
    add: (row: Row): boolean => {
      if ((counts.get(row.applicationId) ?? 0) >= capacity - rows.length) return false;
      rows.push(row);
      count(row, 1);
      return true;
    },
    first: (length: number): readonly Row[] => rows.slice(0, length),
    removeFirst: (length: number): void => {
      for (const row of rows.splice(0, length)) count(row, -1);
    },
    size: (): number => rows.length,
  };
}

/** Inserts a batch, application by application when it fails as a whole. Returns how many rows were refused. */
async function insertBatch<Row extends OwnedRow>(
  rows: readonly Row[],
  { insert, onError }: Pick<WriteBehindOptions<Row>, 'insert' | 'onError'>,
): Promise<number> {
  try {
    await insert(rows);
    return 0;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const owners = Map.groupBy(rows, ({ applicationId }) => applicationId);
    if (owners.size === 1) {
      onError(error);
      return rows.length;
    }
    let refused = 0;
    for (const own of owners.values()) refused += await insertBatch(own, { insert, onError });
    return refused;
  }
}

/** Writes rows in batches in the background, and buffers a bounded number of them while the database is slow or unavailable. */
export function createWriteBehind<Row extends OwnedRow>(options: WriteBehindOptions<Row>) {
  const buffer = createBuffer<Row>(MAX_WAITING);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isDown = false;
  let written = 0;
  let dropped = 0;
  let reported = 0;

  async function writeBuffer(): Promise<void> {
    // Rows that are added meanwhile are left for the next time.
    for (let left = buffer.size(); left > 0; ) {
      const rows = buffer.first(Math.min(left, BATCH_ROWS));
      const refused = await insertBatch(rows, options);
      isDown = false;
      written += rows.length - refused;
      dropped += refused;
      buffer.removeFirst(rows.length);
      left -= rows.length;
    }
  }

  function reportDropped(): void {
    if (dropped > reported) options.onDropped(dropped - reported);
    reported = dropped;
  }

  function schedule(): void {
    if (writing || buffer.size() === 0) return;
    const isDue = !isDown && buffer.size() >= BATCH_ROWS;
    if (isDue) void write();
    else timer ??= setTimeout(write, isDown ? RETRY_MS : FLUSH_MS).unref();
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writeBuffer()
      .catch((error: unknown) => {
        if (!isDown) options.onError(error);
        isDown = true;
      })
      .finally(() => {
        writing = undefined;
        reportDropped();
        schedule();
      });
    return writing;
  }

  async function flush(): Promise<void> {
    // A write that is under way may have begun before the last row was added.
    if (writing) await writing;
    if (buffer.size() > 0) await (writing ?? write());
  }

  return {
    /** Returns at once and never throws. The row is written within 100 ms, or when the database is available again. */
    add: (row: Row): void => {
      if (!buffer.add(row)) dropped += 1;
      schedule();
    },
    /** Resolves after one attempt to write all rows that wait now. */
    flush,
    counts: (): WriteCounts => ({ written, dropped, waiting: buffer.size() }),
    /** Makes a last attempt, and drops the rest. */
    close: async (): Promise<void> => {
      await flush();
      clearTimeout(timer);
      dropped += buffer.size();
      buffer.removeFirst(buffer.size());
      reportDropped();
    },
  };
}

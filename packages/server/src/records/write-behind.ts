import { isUnavailable } from '../concurrency/retry-while-unavailable.js';

export interface WriteBehindOptions<Row> {
  /** Inserts all rows or none of them. Rows that already exist remain unchanged. */
  readonly insert: (rows: readonly Row[]) => Promise<void>;
  /** Called when the database becomes unavailable, and when the database refuses the rows of an application. */
  readonly onError: (error: unknown) => void;
  /** Called with the number of rows that were dropped since the last call. */
  readonly onDropped: (count: number) => void;
}

/** Numbers of rows that were written or dropped since the start of this process, and of rows in the buffer. */
export interface WriteCounts {
  readonly written: number;
  readonly dropped: number;
  readonly waiting: number;
}

interface OwnedRow {
  readonly applicationId: string | null;
}

const FLUSH_MS = 100;
// Maximum number of rows that one insert statement writes. 1000 rows cost 10 % less time per row, but block the
// database twice as long.
const BATCH_ROWS = 500;
const RETRY_MS = 1000;
/** Maximum number of rows in the write buffer, about 15 MiB. */
export const MAX_WAITING = 20_000;

/**
 * Creates a bounded buffer that is fair to applications. An application may use at most as many slots as it leaves
 * free, so half of them when it is alone. Another application therefore always gets free slots.
 */
function createBuffer<Row extends OwnedRow>(capacity: number) {
  const rows: Row[] = [];
  const counts = new Map<string | null, number>();

  function count({ applicationId }: Row, change: number): void {
    const changed = (counts.get(applicationId) ?? 0) + change;
    if (changed === 0) counts.delete(applicationId);
    else counts.set(applicationId, changed);
  }

  return {
    /** Adds a row to the buffer. Returns false if the application has used its share of the buffer. */
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

/**
 * Inserts a batch of rows. If that fails, the rows of each application are inserted separately. Returns the number of
 * rows that the database refused.
 */
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

/**
 * Creates a writer that inserts rows in batches in the background. While the database is slow or unavailable, it
 * buffers a bounded number of rows.
 */
export function createWriteBehind<Row extends OwnedRow>(options: WriteBehindOptions<Row>) {
  const buffer = createBuffer<Row>(MAX_WAITING);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isDown = false;
  let written = 0;
  let dropped = 0;
  let reported = 0;

  async function writeBuffer(): Promise<void> {
    // Writes only rows that are in the buffer now. Rows that are added during this loop wait for the next write.
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
    // A write that is already running may have started before the last row was added. `flush` therefore waits for it,
    // and then writes again.
    if (writing) await writing;
    if (buffer.size() > 0) await (writing ?? write());
  }

  return {
    /**
     * Adds a row to the buffer. Returns at once and never throws. The row is written within 100 ms, or as soon as the
     * database is available again.
     */
    add: (row: Row): void => {
      if (!buffer.add(row)) dropped += 1;
      schedule();
    },
    /** Resolves after one attempt to write all rows that are in the buffer now. */
    flush,
    counts: (): WriteCounts => ({ written, dropped, waiting: buffer.size() }),
    /** Tries to write all buffered rows once more, and drops the rows that cannot be written. */
    close: async (): Promise<void> => {
      await flush();
      clearTimeout(timer);
      dropped += buffer.size();
      buffer.removeFirst(buffer.size());
      reportDropped();
    },
  };
}

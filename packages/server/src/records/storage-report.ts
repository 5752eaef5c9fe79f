import type { FileSpace } from '../storage/free-space-table.js';
import { AGING, type AgeName, EXECUTIONS, WATCHED } from '../storage/kept-rows.js';
import type { TableSize } from '../storage/sizes-table.js';
import type { Storage } from '../storage/storage.js';

export interface KeptTable extends TableSize {
  /** When the oldest of its rows that have an age was made, or ended; absent while none has ended. */
  readonly oldest?: string;
  /** Which of the ages in days that an operator sets its rows have. */
  readonly ages: readonly AgeName[];
}

/** What of a table is told without looking at all of it. */
export interface KeptBriefly
  extends Pick<KeptTable, 'ages'>,
    Partial<Pick<KeptTable, 'rows' | 'isEstimated' | 'bytes' | 'oldest'>> {
  readonly table: string;
}

// To see what takes how much of the file of SQLite, all of it is read, and everybody waits for that.
const SMALL_FILE_BYTES = 64 * 2 ** 20;

export interface StorageReport {
  /** The largest first. */
  readonly tables: readonly KeptTable[];
  /** Of SQLite. */
  readonly file?: FileSpace;
}

const agesOf = (table: string): readonly AgeName[] => [
  ...new Set(
    [EXECUTIONS, ...AGING, ...WATCHED].flatMap((kept) => (kept.table === table ? (kept.age ?? []) : [])),
  ),
];

const KEPT_TABLES = [
  ...new Set([EXECUTIONS, ...AGING, ...WATCHED].flatMap(({ table, age }) => (age ? table : []))),
];

const hasPassed = (time: number | undefined): time is number =>
  time !== undefined && time >= -8.64e15 && time <= Date.now();

/** What takes how much, and for how long it is kept. */
export function createStorageReport({ storage }: { readonly storage: Pick<Storage, 'freeSpace' | 'sizes'> }) {
  const { freeSpace, sizes } = storage;
  const sizeOf = ({ pages, pageBytes }: FileSpace): number => pages * pageBytes;

  async function read(): Promise<StorageReport> {
    const tables: KeptTable[] = [];
    for (const size of await sizes.list()) {
      const oldest = await sizes.oldest(size.table);
      tables.push({
        ...size,
        ...(hasPassed(oldest) && { oldest: new Date(oldest).toISOString() }),
        ages: agesOf(size.table),
      });
    }
    const file = await freeSpace.ofFile();
    return { tables: tables.sort((one, other) => other.bytes - one.bytes), ...(file && { file }) };
  }

  return {
    read,

    /** While the service runs: of what has an age. Sizes are left out where everybody would wait for them. */
    readBriefly: async (): Promise<readonly KeptBriefly[]> => {
      const file = await freeSpace.ofFile();
      if (file !== undefined && sizeOf(file) > SMALL_FILE_BYTES)
        return KEPT_TABLES.map((table) => ({ table, ages: agesOf(table) }));
      const { tables } = await read();
      return tables.filter(({ ages }) => ages.length > 0);
    },

    /** Writes the file of SQLite anew. Gives what it was and is; nothing where there is no such file. */
    compact: async (): Promise<{ readonly before: FileSpace; readonly after: FileSpace } | undefined> => {
      const before = await freeSpace.ofFile();
      if (before === undefined) return undefined;
      await freeSpace.writeAnew();
      return { before, after: (await freeSpace.ofFile()) ?? before };
    },
  };
}

export type StorageReports = ReturnType<typeof createStorageReport>;

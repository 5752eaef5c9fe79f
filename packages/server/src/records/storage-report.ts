import type { FileSpace } from '../storage/free-space-table.js';
import { AGING, type AgeName, EXECUTIONS, WATCHED } from '../storage/kept-rows.js';
import type { TableSize } from '../storage/sizes-table.js';
import type { Storage } from '../storage/storage.js';

export interface KeptTable extends TableSize {
  /** When the oldest of its rows that have an age was made, or ended. */
  readonly oldest?: string;
  /** Which of the ages in days that an operator sets its rows have. */
  readonly ages: readonly AgeName[];
}

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

const isMoment = (time: number | undefined): time is number =>
  time !== undefined && Math.abs(time) <= 8.64e15;

/** What takes how much, and for how long it is kept. */
export function createStorageReport({ storage }: { readonly storage: Pick<Storage, 'freeSpace' | 'sizes'> }) {
  const { freeSpace, sizes } = storage;
  return {
    read: async (): Promise<StorageReport> => {
      const tables: KeptTable[] = [];
      for (const size of await sizes.list()) {
        const oldest = await sizes.oldest(size.table);
        tables.push({
          ...size,
          ...(isMoment(oldest) && { oldest: new Date(oldest).toISOString() }),
          ages: agesOf(size.table),
        });
      }
      const file = await freeSpace.ofFile();
      return { tables: tables.sort((one, other) => other.bytes - one.bytes), ...(file && { file }) };
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

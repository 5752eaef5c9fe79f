import { type AgeName, EXECUTION_RULE, INDEXED_RULES, SCANNED_RULES } from '../storage/retention-rules.js';
import type { FileSpace, TableSize } from '../storage/size-tables.js';
import type { Storage } from '../storage/storage.js';

export interface KeptTable extends TableSize {
  /** Time of the oldest row that is deleted by its age; absent when there is none. */
  readonly oldest?: string;
  /** Settings that say for how long its rows are kept. */
  readonly ages: readonly AgeName[];
}

/** Report on a table, without the parts for which the whole table would be read. */
export interface TableSummary
  extends Pick<KeptTable, 'ages'>,
    Partial<Pick<KeptTable, 'rows' | 'isEstimated' | 'bytes' | 'oldest'>> {
  readonly table: string;
}

export interface StorageReport {
  /** Largest first. */
  readonly tables: readonly KeptTable[];
  /** File of SQLite. */
  readonly file?: FileSpace;
}

// The sizes of the tables of a SQLite file need a scan of the whole file, during which all other statements wait.
const SMALL_FILE_BYTES = 64 * 2 ** 20;

const RULES = [EXECUTION_RULE, ...INDEXED_RULES, ...SCANNED_RULES];

const agesOf = (table: string): readonly AgeName[] => [
  ...new Set(RULES.flatMap((rule) => (rule.table === table ? (rule.age ?? []) : []))),
];

const TABLES_WITH_AGE = [...new Set(RULES.flatMap(({ table, age }) => (age ? table : [])))];

const isPast = (time: number | undefined): time is number =>
  time !== undefined && time >= -8.64e15 && time <= Date.now();

const bytesOf = ({ pages, pageBytes }: FileSpace): number => pages * pageBytes;

/** Reports the sizes of tables and for how long their rows are kept. */
export function createStorageReport({ storage }: { readonly storage: Pick<Storage, 'freeSpace' | 'sizes'> }) {
  const { freeSpace, sizes } = storage;

  async function read(): Promise<StorageReport> {
    const tables: KeptTable[] = [];
    for (const size of await sizes.list()) {
      const oldest = await sizes.oldest(size.table);
      tables.push({
        ...size,
        ...(isPast(oldest) && { oldest: new Date(oldest).toISOString() }),
        ages: agesOf(size.table),
      });
    }
    const file = await freeSpace.ofFile();
    return { tables: tables.sort((one, other) => other.bytes - one.bytes), ...(file && { file }) };
  }

  /** Reports, while the service runs, on tables whose rows have an age. A large SQLite file is not scanned for sizes. */
  async function readBriefly(): Promise<readonly TableSummary[]> {
    const file = await freeSpace.ofFile();
    if (file !== undefined && bytesOf(file) > SMALL_FILE_BYTES)
      return TABLES_WITH_AGE.map((table) => ({ table, ages: agesOf(table) }));
    const { tables } = await read();
    return tables.filter(({ ages }) => ages.length > 0);
  }

  /** Writes the file of SQLite anew. Returns its sizes; `undefined` on PostgreSQL. */
  async function compact(): Promise<{ readonly before: FileSpace; readonly after: FileSpace } | undefined> {
    const before = await freeSpace.ofFile();
    if (before === undefined) return undefined;
    await freeSpace.writeAnew();
    return { before, after: (await freeSpace.ofFile()) ?? before };
  }

  return { read, readBriefly, compact };
}

export type StorageReports = ReturnType<typeof createStorageReport>;

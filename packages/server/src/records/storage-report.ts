import { type AgeName, EXECUTION_RULE, INDEXED_RULES, SCANNED_RULES } from '../storage/retention-rules.js';
import type { FileSpace, TableSize } from '../storage/size-tables.js';
import type { Storage } from '../storage/storage.js';

export interface RetainedTable extends TableSize {
  /** Time of the oldest row that the retention job can delete. Absent if the table has no such row. */
  readonly oldest?: string;
  /** Names of the settings that define the retention times of the rows in this table. */
  readonly ages: readonly AgeName[];
}

/**
 * Size and age of a database table. `rows`, `bytes` and `oldest` are absent if reading them would scan a large database
 * file.
 */
export interface TableSummary
  extends Pick<RetainedTable, 'ages'>,
    Partial<Pick<RetainedTable, 'rows' | 'isEstimated' | 'bytes' | 'oldest'>> {
  readonly table: string;
}

export interface StorageReport {
  /** Tables by size, largest first. */
  readonly tables: readonly RetainedTable[];
  /** Size of the SQLite file. Absent on PostgreSQL. */
  readonly file?: FileSpace;
}

// Largest SQLite file, in bytes, that is scanned for table sizes. The scan reads the whole file, and all other
// statements wait for it.
const SMALL_FILE_BYTES = 64 * 2 ** 20;

const RULES = [EXECUTION_RULE, ...INDEXED_RULES, ...SCANNED_RULES];

const agesOf = (table: string): readonly AgeName[] => [
  ...new Set(RULES.flatMap((rule) => (rule.table === table ? (rule.age ?? []) : []))),
];

const TABLES_WITH_AGE = [...new Set(RULES.flatMap(({ table, age }) => (age ? table : [])))];

const isPast = (time: number | undefined): time is number =>
  time !== undefined && time >= -8.64e15 && time <= Date.now();

const bytesOf = ({ pages, pageBytes }: FileSpace): number => pages * pageBytes;

/** Creates the reports on the sizes of database tables and on the retention times of their rows. */
export function createStorageReport({ storage }: { readonly storage: Pick<Storage, 'freeSpace' | 'sizes'> }) {
  const { freeSpace, sizes } = storage;

  async function read(): Promise<StorageReport> {
    const tables: RetainedTable[] = [];
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

  /**
   * Reports the sizes of the tables with a retention time, without blocking the running service. Sizes are omitted for
   * a large SQLite file, because scanning it would block other statements.
   */
  async function readBriefly(): Promise<readonly TableSummary[]> {
    const file = await freeSpace.ofFile();
    if (file !== undefined && bytesOf(file) > SMALL_FILE_BYTES)
      return TABLES_WITH_AGE.map((table) => ({ table, ages: agesOf(table) }));
    const { tables } = await read();
    return tables.filter(({ ages }) => ages.length > 0);
  }

  /**
   * Rewrites the SQLite file without free pages (VACUUM). Returns the sizes before and after, or `undefined` on
   * PostgreSQL.
   */
  async function compact(): Promise<{ readonly before: FileSpace; readonly after: FileSpace } | undefined> {
    const before = await freeSpace.ofFile();
    if (before === undefined) return undefined;
    await freeSpace.writeAnew();
    return { before, after: (await freeSpace.ofFile()) ?? before };
  }

  return { read, readBriefly, compact };
}

export type StorageReports = ReturnType<typeof createStorageReport>;

import type { Config } from '../config/config.js';
import { SETTINGS } from '../config/settings.js';
import { UsageError } from '../config/usage-error.js';
import { ServiceError } from '../errors.js';
import type { RetainedTable, StorageReport } from '../records/storage-report.js';
import type { Command } from './command.js';
import { formatTable } from './table.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

function formatSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const digits = power === 0 ? 0 : 1;
  return `${(bytes / 1000 ** power).toFixed(digits)} ${UNITS[power]}`;
}

interface RetentionPeriod {
  readonly setting: string;
  readonly days: number;
}

const retentionOf = (
  ages: RetainedTable['ages'],
  retention: Config['retention'],
): readonly RetentionPeriod[] =>
  ages.map((age) => ({ setting: SETTINGS[`keep-${age}`]?.env ?? age, days: retention[age] }));

const describeDays = ({ setting, days }: RetentionPeriod): string =>
  `${days} ${days === 1 ? 'day' : 'days'} (${setting})`;

const rowOf = (table: RetainedTable, retention: Config['retention']) => ({
  table: table.table,
  rows: `${table.isEstimated ? '~' : ''}${table.rows}`,
  size: formatSize(table.bytes),
  oldest: table.oldest ?? '',
  retention: retentionOf(table.ages, retention).map(describeDays).join(', '),
});

function describeFile(file: NonNullable<StorageReport['file']>): readonly string[] {
  const [all, free] = [formatSize(file.pages * file.pageBytes), formatSize(file.free * file.pageBytes)];
  const advice = file.givesBack
    ? ''
    : ' The file cannot shrink by itself. Stop the service and run `svc-server storage compact` once.';
  return [
    '',
    `The size of the database file is ${all}, of which ${free} are free. New rows use the free space first.${advice}`,
  ];
}

/** Command that reports the database migrations. They ran when the command opened the database. */
export const migrate: Command = {
  name: 'migrate',
  summary: 'Create the tables of a new database, or update the tables of an older version',
  makesDatabase: true,
  needsService: 'stopped',
  run: async ({ migrated }) => ({
    data: { migrated },
    text:
      migrated.length === 0
        ? 'The tables of the database are up to date.'
        : [
            'These migrations updated the tables of the database:',
            ...migrated.map((name) => `  ${name}`),
          ].join('\n'),
  }),
};

/**
 * Command that copies the database. The copy does not contain the root key, because anyone with both could decrypt the
 * secrets in it.
 */
export const backup: Command = {
  name: 'backup',
  summary:
    'Copy the database of the data folder into a new file, while the service runs; for PostgreSQL, use pg_dump',
  takes: ['file'],
  needsService: 'any',
  run: async ({ copyDatabase }, input) => {
    const file = input.argument('file');
    if (file === '')
      throw new UsageError('The file name is empty. Name a new file for the copy of the database.');
    await copyDatabase(file);
    return {
      data: { file },
      text: `The database was copied to ${file}. The copy can only be used with its root keys. Store the root keys in a different location than the copy.`,
    };
  },
};

export const storageCommands: readonly Command[] = [
  {
    name: 'storage',
    summary: 'Show the size, the oldest row and the retention time of each table',
    needsService: 'any',
    run: async ({ storageReport, retention }) => {
      const { tables, file } = await storageReport.read();
      const data = tables.map(({ ages, ...size }) => ({ ...size, retention: retentionOf(ages, retention) }));
      const rows = tables.map((table) => rowOf(table, retention));
      return {
        data: { tables: data, ...(file && { file }) },
        text: [
          formatTable(rows, 'The database has no tables. Create them with `svc-server migrate`.'),
          ...(file ? describeFile(file) : []),
        ].join('\n'),
      };
    },
  },
  {
    name: 'storage compact',
    summary: 'Shrink the database file of the data folder: rewrite it without its free space',
    needsService: 'stopped',
    run: async ({ storageReport }) => {
      const compacted = await storageReport.compact();
      if (compacted === undefined)
        throw new ServiceError(
          'invalid_request',
          'The service cannot shrink the files of PostgreSQL. Use VACUUM FULL or pg_repack.',
        );
      const { before, after } = compacted;
      const [was, is] = [before, after].map(({ pages, pageBytes }) => pages * pageBytes);
      return {
        data: { before: was, after: is },
        text: `The database file shrank from ${formatSize(was ?? 0)} to ${formatSize(is ?? 0)}.`,
      };
    },
  },
];

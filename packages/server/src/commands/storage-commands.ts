import { SETTINGS } from '../config/settings.js';
import { ServiceError } from '../errors.js';
import type { KeptTable, StorageReport } from '../records/storage-report.js';
import type { Command, CommandParts } from './command.js';
import { table } from './table.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const digits = power === 0 ? 0 : 1;
  return `${(bytes / 1000 ** power).toFixed(digits)} ${UNITS[power]}`;
}

interface Kept {
  readonly setting: string;
  readonly days: number;
}

const keptBy = (ages: KeptTable['ages'], { keep }: CommandParts): readonly Kept[] =>
  ages.map((age) => ({ setting: SETTINGS[`keep-${age}`]?.env ?? age, days: keep[age] }));

const days = ({ setting, days }: Kept): string => `${days} ${days === 1 ? 'day' : 'days'} (${setting})`;

const row = (kept: KeptTable, parts: CommandParts) => ({
  table: kept.table,
  rows: `${kept.isEstimated ? '~' : ''}${kept.rows}`,
  size: size(kept.bytes),
  oldest: kept.oldest ?? '',
  kept: keptBy(kept.ages, parts).map(days).join(', '),
});

function describeFile(file: NonNullable<StorageReport['file']>): readonly string[] {
  const [all, free] = [size(file.pages * file.pageBytes), size(file.free * file.pageBytes)];
  const advice = file.givesBack
    ? ''
    : ' It gives none of that back: stop the service and run `svc-server storage compact` once.';
  return ['', `The file has ${all}, of which ${free} are free for what comes next.${advice}`];
}

export const storageCommands: readonly Command[] = [
  {
    name: 'storage',
    summary: 'Show which table takes how much, how old its oldest row is, and for how long it is kept',
    needsService: 'any',
    run: async (parts) => {
      const { tables, file } = await parts.storageReport.read();
      const data = tables.map((kept) => {
        const { ages, ...size } = kept;
        return { ...size, kept: keptBy(ages, parts) };
      });
      const rows = tables.map((kept) => row(kept, parts));
      return {
        data: { tables: data, ...(file && { file }) },
        text: [table(rows, 'There are no tables.'), ...(file ? describeFile(file) : [])].join('\n'),
      };
    },
  },
  {
    name: 'storage compact',
    summary:
      'Write the database of the data folder anew, without what is free, so that its size follows what it holds',
    needsService: 'stopped',
    run: async ({ storageReport }) => {
      const compacted = await storageReport.compact();
      if (compacted === undefined)
        throw new ServiceError(
          'invalid_request',
          'A PostgreSQL is made smaller by its own tools: use VACUUM FULL, or pg_repack.',
        );
      const { before, after } = compacted;
      const [was, is] = [before, after].map(({ pages, pageBytes }) => pages * pageBytes);
      return {
        data: { before: was, after: is },
        text: `The file had ${size(was ?? 0)} and has ${size(is ?? 0)}.`,
      };
    },
  },
];

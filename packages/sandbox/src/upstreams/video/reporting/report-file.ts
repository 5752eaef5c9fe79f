import { DAY, formatDate } from '../../../zoned-time.js';
import { type Figures, figuresOf } from '../figures.js';
import type { Video } from '../world.js';
import { NUMBERS, numberOf, REPORT_TYPES, type ReportType } from './report-types.js';

interface Content {
  readonly channelId: string;
  readonly videos: readonly Video[];
  /** Midnight of the day that is reported. */
  readonly day: number;
}

/** The file of a report: comma-separated, with a line of column names. */
export function reportFile(reportTypeId: string, { channelId, videos, day }: Content): string {
  const type = REPORT_TYPES.find(({ id }) => id === reportTypeId);
  const figures = figuresOf(videos, { from: day, to: day + DAY - 1 });
  const date = formatDate(day).replaceAll('-', '');
  const rows = type === undefined ? [] : rowsOf(type, figures).map((row) => [date, channelId, ...row]);
  const header = ['date', 'channel_id', ...Object.keys(type?.keys ?? {}), ...Object.keys(NUMBERS)];
  return `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}

function rowsOf({ keys }: ReportType, figures: readonly Figures[]): string[][] {
  const groups = new Map<string, Figures[]>();
  for (const one of figures) {
    const key = Object.values(keys)
      .map((read) => read(one))
      .join(',');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, members]) => [
    key,
    ...Object.keys(NUMBERS).map((column) => String(numberOf(column, members))),
  ]);
}

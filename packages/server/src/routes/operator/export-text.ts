import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Page, PageRequest } from '../../page.js';

const LINES_AT_ONCE = 200;
const ROWS_AT_ONCE = 500;

// Matches values that a spreadsheet would run as a formula. A leading apostrophe turns such a value into text.
const FORMULA = /^[=+\-@\t\r]/;

type Value = string | number | boolean | null | undefined;

/** Quotes a CSV value as RFC 4180 requires. */
function toCell(value: Value): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
} as const;

export type ExportFormat = keyof typeof EXPORT_TYPES;

interface ExportOptions<Row> {
  /** Columns of a CSV file, in the order of the file. */
  readonly columns: readonly (keyof Row & string)[];
  readonly format: ExportFormat;
  readonly isLate: () => boolean;
}

/**
 * Yields the text of an export, 200 lines at a time. Throws if the export takes too long, so that the partial file does
 * not look complete.
 */
export async function* exportText<Row extends { readonly [Column in keyof Row]: unknown }>(
  rows: AsyncIterable<Row>,
  { columns, format, isLate }: ExportOptions<Row>,
): AsyncIterable<string> {
  const line = (row: Row) =>
    format === 'csv'
      ? `${columns.map((column) => toCell(row[column] as Value)).join()}\r\n`
      : `${JSON.stringify(row)}\n`;
  let text = format === 'csv' ? `${columns.join()}\r\n` : '';
  let lines = 0;
  for await (const row of rows) {
    text += line(row);
    lines += 1;
    if (lines < LINES_AT_ONCE) continue;
    if (isLate())
      throw new Error('The export took longer than five minutes and was stopped. Export a shorter period.');
    yield text;
    text = '';
    lines = 0;
  }
  if (text !== '') yield text;
}

/** Maximum number of rows in an export of executions or accounts. */
export const MAX_EXPORTED = 100_000;

/** Reads the pages of a list one after another, at most `MAX_EXPORTED` items. */
export async function* readPages<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
): AsyncIterable<Item> {
  let pageToken: string | undefined;
  let left = MAX_EXPORTED;
  do {
    const page = await list({ pageSize: Math.min(ROWS_AT_ONCE, left), pageToken });
    yield* page.items;
    left -= page.items.length;
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined && left > 0);
}

const EXPORT_LIMIT_MS = 5 * 60_000;

interface SentExport<Row> extends Pick<ExportOptions<Row>, 'columns' | 'format'> {
  /** Beginning of the file name, such as `audit`. */
  readonly name: string;
}

/** Streams rows as a file to download. Aborts the response after five minutes. */
export function sendExport<Row extends { readonly [Column in keyof Row]: unknown }>(
  reply: FastifyReply,
  rows: AsyncIterable<Row>,
  { name, columns, format }: SentExport<Row>,
): FastifyReply {
  const lateAt = performance.now() + EXPORT_LIMIT_MS;
  const day = new Date().toISOString().slice(0, 10);
  const isLate = () => performance.now() > lateAt;
  return reply
    .type(EXPORT_TYPES[format])
    .header('content-disposition', `attachment; filename="${name}-${day}.${format}"`)
    .send(Readable.from(exportText(rows, { columns, format, isLate }), { objectMode: false }));
}

/** Builds the response schema of an export in the given formats. */
export const exportResponse = (formats: readonly ExportFormat[], example: string) => ({
  200: {
    description: 'Stream of the rows.',
    content: Object.fromEntries(
      formats.map((format) => [
        EXPORT_TYPES[format].split(';', 1).join(),
        { schema: { type: 'string' }, example },
      ]),
    ),
  },
});

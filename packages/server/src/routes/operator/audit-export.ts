import type { RecordedEvent } from '../../records/audit-log.js';

/** Columns of the CSV, in this order. */
const COLUMNS = [
  'id',
  'at',
  'applicationId',
  'actor',
  'action',
  'object',
  'result',
  'reason',
  'requestId',
  'address',
] as const satisfies readonly (keyof RecordedEvent)[];

const LINES_AT_ONCE = 200;

// A spreadsheet runs such a value as a formula; an apostrophe makes it text.
const FORMULA = /^[=+\-@\t\r]/;

/** Quotes as RFC 4180 does. */
function toCell(value: string | null): string {
  if (value === null) return '';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

interface Format {
  readonly type: string;
  readonly head: string;
  readonly line: (event: RecordedEvent) => string;
}

export const EXPORT_FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: `${COLUMNS.join()}\r\n`,
    line: (event) => `${COLUMNS.map((column) => toCell(event[column])).join()}\r\n`,
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    line: (event) => `${JSON.stringify(event)}\n`,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** Text of an export, 200 lines at a time. Throws if it takes too long, so that the file does not look complete. */
export async function* exportText(
  events: AsyncIterable<RecordedEvent>,
  format: ExportFormat,
  isLate: () => boolean,
): AsyncIterable<string> {
  const { head, line } = EXPORT_FORMATS[format];
  let text: string = head;
  let lines = 0;
  for await (const event of events) {
    text += line(event);
    lines += 1;
    if (lines < LINES_AT_ONCE) continue;
    if (isLate()) throw new Error('The export took too long.');
    yield text;
    text = '';
    lines = 0;
  }
  if (text !== '') yield text;
}

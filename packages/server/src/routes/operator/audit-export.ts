import type { RecordedEvent } from '../../records/audit-log.js';

/** Columns of the CSV export, in the order of the file. */
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

// Matches values that a spreadsheet would run as a formula. A leading apostrophe turns such a value into text.
const FORMULA = /^[=+\-@\t\r]/;

/** Quotes a CSV value as RFC 4180 requires. */
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

/**
 * Yields the text of an audit log export, 200 lines at a time. Throws if the export takes too long, so that the partial
 * file does not look complete.
 */
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
    if (isLate()) throw new Error('The audit export took longer than five minutes. Export a shorter period.');
    yield text;
    text = '';
    lines = 0;
  }
  if (text !== '') yield text;
}

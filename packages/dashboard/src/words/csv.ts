// Matches values that a spreadsheet would run as a formula. A leading apostrophe turns such a value into text.
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats rows as CSV (RFC 4180). An apostrophe precedes values that a spreadsheet would run as formulas. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join()}\r\n`).join('');

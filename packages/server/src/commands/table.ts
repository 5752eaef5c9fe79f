import { printableLine } from '../text/printable.js';

/** Formats rows as a text table with column names. Returns `empty` if the list has no rows. */
export function formatTable(rows: readonly Readonly<Record<string, string>>[], empty: string): string {
  const [first] = rows;
  if (first === undefined) return empty;
  const columns = Object.keys(first);
  const cells = rows.map((row) => columns.map((column) => printableLine(row[column] ?? '')));
  const all = [columns.map((column) => column.toUpperCase()), ...cells];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats the properties of an object as text, one property per line. */
export function formatFacts(values: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${printableLine(value)}`)
    .join('\n');
}

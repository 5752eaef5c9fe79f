import type { Verdict } from './check-bounds.ts';
import type { Row } from './part.ts';

/**
 * Formats rows as a text table. Aligns the first column to the left and the others to the right. A row may omit
 * columns.
 */
export function table(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const align = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(align).join('  ')).join('\n');
}

function toRow({ row, unit, must, aim, isLeast, measured, outcome }: Verdict): Row {
  const bound = (value: number | undefined) =>
    value === undefined ? '' : `${isLeast ? '≥' : '≤'} ${value} ${unit}`;
  const figure = measured >= 100 ? Math.round(measured) : measured.toPrecision(3);
  return {
    Bound: row,
    must: bound(must),
    aim: bound(aim),
    measured: `${figure} ${unit}`,
    '': outcome,
  };
}

export const verdictTable = (verdicts: readonly Verdict[]): string => table(verdicts.map(toRow));

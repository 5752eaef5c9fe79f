import bounds from './bounds.json' with { type: 'json' };
import type { Row } from './part.ts';

/** Columns as wide as what stands in them; numbers to the right. */
export function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const toLine = (line: readonly string[]) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return cells.map(toLine).join('\n');
}

interface Bound {
  readonly row: string;
  readonly figure: string;
  readonly unit: string;
  /** At most so much; at least, where `isLeast` says so. */
  readonly must: number;
  readonly aim?: number;
  readonly isLeast?: boolean;
}

export interface Verdict extends Bound {
  readonly measured: number;
  readonly isHeld: boolean;
}

/** Every bound whose figure was measured. */
export function judge(figures: Readonly<Record<string, number>>): Verdict[] {
  return (bounds as readonly Bound[]).flatMap((bound) => {
    const measured = figures[bound.figure];
    if (measured === undefined) return [];
    return [{ ...bound, measured, isHeld: bound.isLeast ? measured >= bound.must : measured <= bound.must }];
  });
}

export const verdictTable = (verdicts: readonly Verdict[]): string =>
  table(
    verdicts.map(({ row, unit, must, aim, isLeast, measured, isHeld }) => {
      const bound = (value: number | undefined) =>
        value === undefined ? '' : `${isLeast ? '≥' : '≤'} ${value} ${unit}`;
      return {
        'Must hold': row,
        must: bound(must),
        aim: bound(aim),
        measured: `${measured >= 100 ? Math.round(measured) : measured.toPrecision(3)} ${unit}`,
        '': isHeld ? 'held' : 'NOT HELD',
      };
    }),
  );

/** Plain value of a table cell. */
export type CellValue = string | number | null | undefined;

/** Compares two values of a column: numbers by size, texts without regard to case, and absent values first. */
export function compareValues(one: CellValue, other: CellValue): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one ?? '').localeCompare(String(other ?? ''));
}

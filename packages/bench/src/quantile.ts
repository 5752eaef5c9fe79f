/**
 * Returns the value below which the fraction `rank` of the values lies, such as the median for 0.5. Returns NaN for an
 * empty list.
 */
export function quantile(values: readonly number[] | Float64Array, rank: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(rank * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

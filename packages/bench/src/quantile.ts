/** The smallest value that is above the share `rank` of the values; NaN without values. */
export function quantile(values: readonly number[] | Float64Array, rank: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(rank * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

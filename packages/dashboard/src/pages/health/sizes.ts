const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size in bytes with a decimal unit, such as `4.1 kB`. */
export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}

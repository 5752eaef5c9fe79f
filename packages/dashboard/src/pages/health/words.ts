import { grouped } from '../../words/numbers.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** As people say how much it is. */
export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}

export const daysOf = (days: number): string => `${grouped(days)} ${days === 1 ? 'day' : 'days'}`;

/** `audit_events` as people say it. */
export const kindOf = (table: string): string => {
  const said = table.replaceAll('_', ' ');
  return said.charAt(0).toUpperCase() + said.slice(1);
};

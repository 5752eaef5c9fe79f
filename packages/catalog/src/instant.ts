const DATE = /^\d{4}-\d{2}-\d{2}$/;
const UTC_DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Milliseconds of an RFC 3339 time, a `YYYY-MM-DD` or a `YYYY-MM-DD HH:MM:SS` (UTC); undefined when it is none of these. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = UTC_DATE_TIME.test(value) ? `${value.replace(' ', 'T')}Z` : value;
  if (!DATE.test(text) && !RFC_3339.test(text)) return undefined;
  const instant = Date.parse(text.toUpperCase());
  return Number.isNaN(instant) ? undefined : instant;
}

/** The same time of day so many calendar months later; the last day of the month when the day does not exist there. */
export function addMonths(instant: number, months: number): number {
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
}

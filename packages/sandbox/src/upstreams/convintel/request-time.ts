const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Milliseconds of a `YYYY-MM-DD HH:MM:SS` in UTC; undefined for everything else, ISO 8601 above all. */
export function parseDateTime(text: string): number | undefined {
  if (!DATE_TIME.test(text)) return undefined;
  const instant = Date.parse(`${text.replace(' ', 'T')}Z`);
  // Date.parse turns the 30th of February into a day of March.
  return formatDateTime(instant) === text ? instant : undefined;
}

export function parseDay(text: string): number | undefined {
  return DAY.test(text) ? parseDateTime(`${text} 00:00:00`) : undefined;
}

function formatDateTime(instant: number): string | undefined {
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
}

/** The same time of day six months later; the last day of that month when the day does not exist there. */
export function sixMonthsAfter(instant: number): number {
  const later = new Date(instant);
  later.setUTCMonth(later.getUTCMonth() + 6);
  if (later.getUTCDate() !== new Date(instant).getUTCDate()) later.setUTCDate(0);
  return later.getTime();
}

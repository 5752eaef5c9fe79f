const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Parses `YYYY-MM-DD HH:MM:SS` as UTC. Returns epoch milliseconds, or undefined for other formats, including ISO 8601.
 */
export function parseDateTime(text: string): number | undefined {
  if (!DATE_TIME.test(text)) return undefined;
  const instant = Date.parse(`${text.replace(' ', 'T')}Z`);
  // `Date.parse` accepts 30 February and returns a day in March. Formatting the result again detects invalid days.
  return formatDateTime(instant) === text ? instant : undefined;
}

export function parseDay(text: string): number | undefined {
  return DAY.test(text) ? parseDateTime(`${text} 00:00:00`) : undefined;
}

function formatDateTime(instant: number): string | undefined {
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns the time six months later. Uses the last day of that month if it is too short. */
export function sixMonthsAfter(instant: number): number {
  const later = new Date(instant);
  later.setUTCMonth(later.getUTCMonth() + 6);
  if (later.getUTCDate() !== new Date(instant).getUTCDate()) later.setUTCDate(0);
  return later.getTime();
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})?$/;

/**
 * Parses an ISO 8601 date-time. `wall` is the local time as if it were UTC. `instant` is undefined without a UTC
 * offset.
 */
export function parseDateTime(text: string) {
  const [, date, time, fraction = '', offset] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const wall = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(wall) || !sameDay(wall, date)) return undefined;
  return { wall, instant: offset === undefined ? undefined : wall - offsetMilliseconds(offset) };
}

// `Date.parse` accepts 30 February and returns 1 or 2 March. Formatting the result again detects invalid days.
function sameDay(wall: number, date: string): boolean {
  return new Date(wall).toISOString().slice(0, 10) === date;
}

function offsetMilliseconds(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0;
  const sign = offset.startsWith('-') ? -1 : 1;
  const digits = offset.slice(1).replace(':', '');
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
}

/** Parses a date and returns its midnight in milliseconds, as if it were UTC. Returns undefined for an invalid date. */
export function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(day) || !sameDay(day, text) ? undefined : day;
}

export const formatDate = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const numeric = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  const created = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...numeric });
  formatters.set(zone, created);
  return created;
}

export function isZone(zone: string): boolean {
  try {
    formatter(zone);
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

export function wallAt(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    formatter(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
}

/** Converts a local time to epoch milliseconds. A time that daylight saving skips moves forward. */
export function instantOf(wall: number, zone: string): number {
  const before = wall - (wallAt(wall - DAY, zone) - (wall - DAY));
  const after = wall - (wallAt(wall + DAY, zone) - (wall + DAY));
  if (wallAt(before, zone) === wall) return before;
  return wallAt(after, zone) === wall ? after : before;
}

export const DAY = 24 * 3600 * 1000;

export function formatDateTime(instant: number, zone: string): string {
  const wall = wallAt(instant, zone);
  const text = new Date(wall).toISOString().slice(0, 19);
  const minutes = Math.round((wall - instant) / 60_000);
  if (minutes === 0) return `${text}Z`;
  const absolute = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${text}${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

/** Formats a time as `20261201T090000Z`, the form in instance ids and recurrence rules. */
export function basicFormat(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

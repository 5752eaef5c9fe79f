const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** Date and time as an RFC 3339 text states it, with an optional UTC offset. */
export interface DateTime {
  /**
   * Wall-clock time of the time zone, rounded to seconds. It is stored as if it were a UTC time, in epoch milliseconds.
   */
  readonly wall: number;
  /** Fraction of a second with its leading dot, such as `.25`. Empty if the text has no fraction. */
  readonly fraction: string;
  /** UTC offset: `Z`, or hours and minutes such as `+01:00`. Absent for a local time. */
  readonly offset?: string;
}

/** Returns the day after a date. Returns `undefined` after the year 9999. */
export function dayAfter(date: string): string | undefined {
  const next = Date.parse(date) + DAY;
  return next > LATEST ? undefined : new Date(next).toISOString().slice(0, 10);
}

/** Parses an RFC 3339 date and time. The UTC offset is optional. Returns `undefined` for any other text. */
export function parseDateTime(text: string): DateTime | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, date, time, fraction = '', offset] = match;
  const wall = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wall)) return undefined;
  return { wall, fraction, ...(offset === undefined ? {} : { offset: canonicalOffset(offset) }) };
}

function canonicalOffset(offset: string): string {
  if (offset.length === 1) return 'Z';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

export const printDateTime = ({ wall, fraction, offset = '' }: DateTime): string =>
  `${new Date(wall).toISOString().slice(0, 19)}${fraction}${offset}`;

/**
 * Converts a parsed time to epoch milliseconds. Returns `undefined` if the time has no offset and no time zone is
 * given.
 */
export function instantOf({ wall, fraction, offset }: DateTime, timeZone?: string): number | undefined {
  const rest = fraction === '' ? 0 : Math.trunc(Number(fraction) * 1000);
  if (offset !== undefined) return wall - milliseconds(offset) + rest;
  return timeZone === undefined ? undefined : instantInZone(wall, timeZone) + rest;
}

/**
 * Adds elapsed minutes to a time. The result has the UTC offset of `start`, or is a local time in `timeZone`. Returns
 * `undefined` after the year 9999, or if offset and time zone are both missing.
 */
export function addMinutes(start: DateTime, minutes: number, timeZone?: string): DateTime | undefined {
  const { wall, offset } = start;
  const duration = minutes * MINUTE;
  if (wall + duration > LATEST - DAY) return undefined;
  if (offset !== undefined) return { ...start, wall: wall + duration };
  return timeZone === undefined
    ? undefined
    : onClock(start, instantInZone(wall, timeZone) + duration, timeZone);
}

function onClock({ fraction }: DateTime, instant: number, timeZone: string): DateTime {
  const wall = instant + zoneOffset(instant, timeZone);
  // An hour repeats at the end of daylight saving time. A local time means its first occurrence, so the second
  // occurrence is written in UTC.
  const isFirst = instantInZone(wall, timeZone) === instant;
  return isFirst ? { wall, fraction } : { wall: instant, fraction, offset: 'Z' };
}

/**
 * Converts a local time to epoch milliseconds (RFC 5545). A repeated hour means its first occurrence, and a skipped
 * hour uses the offset before the change.
 */
function instantInZone(wall: number, timeZone: string): number {
  const before = zoneOffset(wall - DAY, timeZone);
  const after = zoneOffset(wall + DAY, timeZone);
  const offset = [before, after].find((candidate) => zoneOffset(wall - candidate, timeZone) === candidate);
  return wall - (offset ?? before);
}

function zoneOffset(instant: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return milliseconds(name.replace('GMT', ''));
}

/** Converts a UTC offset such as `+01:00` or `-00:44:30` to milliseconds. Returns 0 for `Z` and for an empty string. */
function milliseconds(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

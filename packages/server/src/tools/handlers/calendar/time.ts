const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** A date and time as its text gives it. */
export interface DateTime {
  /** Wall-clock time in whole seconds, as milliseconds of the same time in UTC. */
  readonly wall: number;
  /** Dot and digits after the second; empty without a fraction. */
  readonly fraction: string;
  /** `Z`, or hours and minutes such as `+01:00`; absent in a local time. */
  readonly offset?: string;
}

/** The day after a date; `undefined` after the year 9999. */
export function dayAfter(date: string): string | undefined {
  const next = Date.parse(date) + DAY;
  return next > LATEST ? undefined : new Date(next).toISOString().slice(0, 10);
}

/** Reads an RFC 3339 date and time, with or without an offset. */
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

/** Instant in milliseconds; `undefined` without an offset and a time zone. */
export function instantOf({ wall, fraction, offset }: DateTime, timeZone?: string): number | undefined {
  const rest = fraction === '' ? 0 : Math.trunc(Number(fraction) * 1000);
  if (offset !== undefined) return wall - milliseconds(offset) + rest;
  return timeZone === undefined ? undefined : instantInZone(wall, timeZone) + rest;
}

/**
 * Adds minutes of real time. The result has the offset of `start`, or is a local time of the time zone. `undefined`
 * without both, and after the year 9999.
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
  // A repeated hour without an offset means the first one, so the second one is written in UTC.
  const isFirst = instantInZone(wall, timeZone) === instant;
  return isFirst ? { wall, fraction } : { wall: instant, fraction, offset: 'Z' };
}

/** Instant of a local time. A repeated hour means the first one, a skipped hour has the offset before it (RFC 5545). */
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

/** Milliseconds of an offset such as `+01:00` or `-00:44:30`. `Z` and the empty text are zero. */
function milliseconds(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

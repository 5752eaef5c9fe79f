const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** A date and time as it was written down. */
export interface DateTime {
  /** The clock face in whole seconds: its milliseconds as if it showed UTC. */
  readonly wall: number;
  /** Digits after the second with their dot, or nothing. */
  readonly fraction: string;
  /** `Z`, or hours and minutes such as `+01:00`; absent when the text names no instant by itself. */
  readonly offset?: string;
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

/** The instant in milliseconds; `undefined` when there is neither an offset nor a time zone. */
export function instantOf({ wall, fraction, offset }: DateTime, timeZone?: string): number | undefined {
  const rest = fraction === '' ? 0 : Math.trunc(Number(fraction) * 1000);
  if (offset !== undefined) return wall - milliseconds(offset) + rest;
  return timeZone === undefined ? undefined : instantInZone(wall, timeZone) + rest;
}

/**
 * The date and time so many minutes of real time later, written like `start`: with its offset, or as the clock of
 * the time zone then shows it. `undefined` when that cannot be told, or lies beyond the year 9999.
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
  // When clocks go back an hour is shown twice, and without an offset it means the first time.
  const isFirst = instantInZone(wall, timeZone) === instant;
  return isFirst ? { wall, fraction } : { wall: instant, fraction, offset: 'Z' };
}

/** Of an hour that clocks show twice the first; an hour that they leave out is read with the offset before it (RFC 5545). */
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

/** Of an offset such as `+01:00` or `-00:44:30`; `Z` and nothing are zero. */
function milliseconds(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

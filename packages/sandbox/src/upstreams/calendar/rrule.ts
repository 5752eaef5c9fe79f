import { parseDate, parseDateTime } from '../../zoned-time.js';

export interface Until {
  readonly instant: number | undefined;
  readonly wall: number;
  readonly isDay: boolean;
}

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
const PARTS = new Set('FREQ INTERVAL COUNT UNTIL BYDAY BYMONTHDAY BYMONTH BYSETPOS WKST'.split(' '));

export type Rule = NonNullable<ReturnType<typeof parseRule>>;

export function parseRule(text: string) {
  const parts = new Map(text.split(';').map((part) => splitPart(part)));
  const frequency = FREQUENCIES.find((one) => one === parts.get('FREQ'));
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const count = parts.has('COUNT') ? Number(parts.get('COUNT')) : undefined;
  const until = parts.has('UNTIL') ? parseUntil(parts.get('UNTIL') ?? '') : undefined;
  const byDay = list(parts.get('BYDAY')).map(parseDay);
  if (frequency === undefined || [...parts.keys()].some((name) => !PARTS.has(name))) return undefined;
  if (!isPositive(interval) || (count !== undefined && !isPositive(count))) return undefined;
  if ((parts.has('UNTIL') && until === undefined) || (count !== undefined && until !== undefined))
    return undefined;
  const days = byDay.filter((day) => day !== undefined);
  const [byMonthDay, byMonth, bySetPosition] = ['BYMONTHDAY', 'BYMONTH', 'BYSETPOS'].map((name) =>
    list(parts.get(name)).map(Number),
  );
  const numbers = [...(byMonthDay ?? []), ...(byMonth ?? []), ...(bySetPosition ?? [])];
  if (days.length !== byDay.length || numbers.some((value) => !Number.isInteger(value) || value === 0))
    return undefined;
  return {
    frequency,
    interval,
    count,
    until,
    byDay: days,
    byMonthDay: byMonthDay ?? [],
    byMonth: byMonth ?? [],
    bySetPosition: bySetPosition ?? [],
    weekStart: Math.max(0, DAYS.indexOf(parts.get('WKST') ?? 'MO')),
  };
}

function splitPart(part: string): [string, string] {
  const [name = '', value = ''] = part.split('=', 2);
  return [name.trim().toUpperCase(), value.trim().toUpperCase()];
}

function list(value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : value.split(',');
}

const isPositive = (value: number): boolean => Number.isInteger(value) && value > 0;

export type DayOfWeek = NonNullable<ReturnType<typeof parseDay>>;

/**
 * Parses a BYDAY value. Day 0 is Sunday. `2TU` has the ordinal 2, and `-1TU` is the last Tuesday. Without an ordinal,
 * every such weekday matches.
 */
function parseDay(text: string) {
  const [, ordinal, name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? [];
  const day = DAYS.indexOf(name);
  return day === -1 ? undefined : { day, ordinal: ordinal === undefined ? undefined : Number(ordinal) };
}

/** Parses an UNTIL value: `20261231`, `20261231T235959` or `20261231T235959Z`. */
export function parseUntil(text: string): Until | undefined {
  const [, year, month, day, hour, minute, second, utc] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) {
    const wall = parseDate(date);
    return wall === undefined ? undefined : { wall, instant: undefined, isDay: true };
  }
  const parsed = parseDateTime(`${date}T${hour}:${minute}:${second}${utc ?? ''}`);
  return parsed === undefined ? undefined : { ...parsed, isDay: false };
}

import { invalid, required } from './api-error.js';
import { parseDateTime, parseDay, sixMonthsAfter } from './request-time.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Time range in epoch milliseconds. Without an end, the range extends to the current time. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Query parameters, parsed by the service's rules. Empty values count as absent. */
export type Parameters = ReturnType<typeof readParameters>;

export function readParameters(query: URLSearchParams, now: number) {
  const text = (name: string) => query.get(name) || undefined;
  const uuid = (name: string) => readUuid(name, text(name));
  return {
    text,
    uuid,
    requiredUuid(name: string): string {
      const value = uuid(name);
      if (value === undefined) throw required(name);
      return value;
    },
    integer: (name: string, bounds: { min: number; max: number; fallback: number }) =>
      readInteger(name, text(name), bounds),
    choice: <Value extends string>(name: string, allowed: readonly Value[]) =>
      readChoice(name, text(name), allowed),
    /** Parses a time range with an optional start and end. `takesDays` also accepts dates without a time. */
    range(from: string, to: string, { takesDays = false } = {}): Partial<Range> {
      const read = (name: string) => readTime(name, text(name), takesDays);
      return checkRange({ from: read(from), to: read(to) }, { from, to }, now);
    },
  };
}

export function readUuid(name: string, value: string | undefined): string | undefined {
  if (value === undefined || UUID.test(value)) return value?.toLowerCase();
  throw invalid(name, `The ${name} must be a valid UUID.`);
}

export function readChoice<Value extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly Value[],
): Value | undefined {
  const known = allowed.find((one) => one === value);
  if (value === undefined || known !== undefined) return known;
  throw invalid(name, `The selected ${name} is invalid.`);
}

function readInteger(
  name: string,
  value: string | undefined,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): number {
  if (value === undefined) return fallback;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw invalid(name, `The ${name} must be a whole number between ${min} and ${max}.`);
}

function readTime(name: string, value: string | undefined, takesDays: boolean): number | undefined {
  if (value === undefined) return undefined;
  const instant = parseDateTime(value) ?? (takesDays ? parseDay(value) : undefined);
  if (instant === undefined) throw invalid(name, `The ${name} does not match the format Y-m-d H:i:s.`);
  return instant;
}

interface Ends {
  from: number | undefined;
  to: number | undefined;
}

function checkRange({ from, to }: Ends, names: { from: string; to: string }, now: number): Partial<Range> {
  const end = to ?? now;
  if (end > now) throw invalid(names.to, `The ${names.to} must not be a future date.`);
  if (from !== undefined && from >= end)
    throw invalid(names.from, `The ${names.from} must be a date before ${names.to}.`);
  if (from !== undefined && end >= sixMonthsAfter(from))
    throw invalid(names.from, 'The date range must be less than 6 months.');
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

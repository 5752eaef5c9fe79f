import { isJsonObject } from './json-schema.js';

const UUID_SHAPE = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/**
 * String formats that the catalogue adds to those of JSON Schema. Its `date-time` replaces the check of ajv-formats.
 */
export const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  'uuid-shape': (value) => UUID_SHAPE.test(value),
  'time-zone': isTimeZone,
  'date-time': (value) => faultOf(value, TIMES['date-time']) === undefined,
  'date-or-time': (value) => faultOf(value, TIMES['date-or-time']) === undefined,
  'utc-date-time': (value) => faultOf(value, TIMES['utc-date-time']) === undefined,
};

let commonTimeZones: ReadonlySet<string> | undefined;

function isTimeZone(value: string): boolean {
  commonTimeZones ??= new Set(Intl.supportedValuesOf('timeZone'));
  return commonTimeZones.has(value) || isTimeZoneAlias(value);
}

function isTimeZoneAlias(value: string): boolean {
  // `Intl.DateTimeFormat` also accepts offsets such as "+01:00", which are not names of time zones.
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** Description of each string format with an example, which error messages put after "must be". */
export const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  'uuid-shape': 'a UUID such as 1f3a5c7e-9b2d-4f60-8a1c-3e5d7f9b1a2c',
  uuid: 'a UUID such as 1f3a5c7e-9b2d-4f60-8a1c-3e5d7f9b1a2c',
  'time-zone': 'an IANA time zone name such as Europe/Berlin',
  'date-time': 'an RFC 3339 time with an offset such as 2026-12-01T09:00:00Z',
  'iso-date-time': 'a date and time such as 2026-12-01T09:00:00 or 2026-12-01T09:00:00Z',
  'utc-date-time': 'a time in UTC such as 2026-12-01 09:00:00',
  'date-or-time': 'a date such as 2026-12-01, or a time such as 2026-12-01T09:00:00Z',
  date: 'a date such as 2026-12-01',
  time: 'a time such as 09:00:00Z',
  email: 'an email address such as ada@example.com',
  uri: 'a full URL such as https://example.com/page',
  duration: 'an ISO 8601 duration such as PT1H30M',
};

/** Describes a string format, and how to correct a wrong time. Error messages put the result after "must be". */
export function formatAdvice(format: string, text: unknown): string {
  const wanted = FORMAT_EXAMPLES[format] ?? `of the format ${format}`;
  const correction = correctionOf(format, text);
  return correction === '' ? wanted : `${wanted}: ${correction}`;
}

/** Returns the change that makes a text a valid time, such as "add the seconds". Empty if no correction is known. */
function correctionOf(format: string, text: unknown): string {
  if (typeof text !== 'string' || !Object.hasOwn(TIMES, format)) return '';
  return faultOf(text, TIMES[format as keyof typeof TIMES]) ?? '';
}

interface TimeForm {
  readonly separator: 'T' | ' ';
  readonly offset: 'needed' | 'allowed' | 'refused';
  /** True if the text may consist of the date alone, or leave out the seconds. */
  readonly isShortEnough: boolean;
  readonly hasFractions: boolean;
}

/** Syntax of each time format. A format accepts only times that the upstream APIs with this format accept. */
const TIMES = {
  'date-time': { separator: 'T', offset: 'needed', isShortEnough: false, hasFractions: true },
  'date-or-time': { separator: 'T', offset: 'allowed', isShortEnough: true, hasFractions: true },
  'utc-date-time': { separator: ' ', offset: 'refused', isShortEnough: false, hasFractions: false },
} satisfies Readonly<Record<string, TimeForm>>;

const PARTS = /^(\d{4}-\d\d-\d\d)(?:([Tt ]) ?(\d\d:\d\d)(:\d\d)?([.,]\d+)?([^\d.,:].*)?)?$/;
const OFFSET = /^(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Returns a hint that corrects a text which must be a date or time, such as `add the seconds`. Returns undefined for a
 * valid time, and an empty string if the text does not look like a time.
 */
function faultOf(text: string, form: TimeForm): string | undefined {
  const [, day, separator, clock, seconds, fraction, offset] = PARTS.exec(text) ?? [];
  if (day === undefined) return '';
  if (!isDay(day)) return 'the given day does not exist';
  if (clock === undefined || separator === undefined)
    return form.isShortEnough ? undefined : 'add the time of day';
  if (separator.toUpperCase() !== form.separator || text.charAt(day.length + 1) === ' ')
    return form.separator === 'T'
      ? 'write a T between the day and the time of day'
      : 'write one space between the day and the time of day';
  if (seconds === undefined && !form.isShortEnough) return 'add the seconds';
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(clock) || (seconds !== undefined && seconds > ':59'))
    return 'the given time of day does not exist';
  return fractionFault(fraction, seconds, form) ?? offsetFault(offset, form);
}

function fractionFault(fraction: string | undefined, seconds: string | undefined, form: TimeForm) {
  if (fraction === undefined) return undefined;
  if (!form.hasFractions) return 'leave out fractions of seconds';
  return seconds === undefined || fraction.startsWith(',') ? 'write fractions of seconds as .5' : undefined;
}

function offsetFault(offset: string | undefined, form: TimeForm): string | undefined {
  if (offset === undefined)
    return form.offset === 'needed' ? 'add the offset: Z for UTC, or one such as +01:00' : undefined;
  if (form.offset === 'refused') return 'leave out the offset, and give the time in UTC';
  return OFFSET.test(offset) ? undefined : 'write the offset as Z, or as +01:00';
}

function isDay(day: string): boolean {
  const instant = Date.parse(`${day}T00:00:00Z`);
  // Compares the parsed day with the text, because some JavaScript engines parse 31 February as a day in March.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day);
}

/** Checks whether a text has a string format. An unknown format accepts every text. */
export type IsFormat = (format: string, text: string) => boolean;

/**
 * Creates a format check from the formats of ajv-formats and of the catalogue: functions, regular expressions, or
 * objects with `validate`.
 */
export function createIsFormat(formats: Readonly<Record<string, unknown>>): IsFormat {
  return (format, text) => {
    const known = Object.hasOwn(formats, format) ? formats[format] : undefined;
    const test = isJsonObject(known) && 'validate' in known ? known['validate'] : known;
    if (test instanceof RegExp) return test.test(text);
    return typeof test !== 'function' || Boolean(test(text));
  };
}

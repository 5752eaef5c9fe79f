import { correctionOf, TIME_FORMATS } from './time-formats.js';

const UUID_SHAPE = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The catalogue's own string formats. */
export const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  'uuid-shape': (value) => UUID_SHAPE.test(value),
  'time-zone': isTimeZone,
  ...TIME_FORMATS,
};

let commonTimeZones: ReadonlySet<string> | undefined;

function isTimeZone(value: string): boolean {
  commonTimeZones ??= new Set(Intl.supportedValuesOf('timeZone'));
  return commonTimeZones.has(value) || isTimeZoneAlias(value);
}

function isTimeZoneAlias(value: string): boolean {
  // DateTimeFormat takes offsets such as "+01:00" too, which are not names.
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** What a string format wants, with an example, to be read after "must be". */
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

/** What a string format wants of a text that is not of it, to be read after "must be": an example, and what to change. */
export function formatAdvice(format: string, text: unknown): string {
  const wanted = FORMAT_EXAMPLES[format] ?? `of the format ${format}`;
  const correction = correctionOf(format, text);
  return correction === '' ? wanted : `${wanted}: ${correction}`;
}

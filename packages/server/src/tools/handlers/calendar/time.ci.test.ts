import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMinutes, instantOf, parseDateTime, printDateTime } from './time.js';

const read = (text: string) => {
  const time = parseDateTime(text);
  if (time === undefined) throw new Error(`"${text}" is not a date and time`);
  return time;
};
const later = (text: string, minutes: number, timeZone?: string) => {
  const end = addMinutes(read(text), minutes, timeZone);
  return end && printDateTime(end);
};

describe('parseDateTime', () => {
  test.each([
    { title: 'keeps Z', text: '2026-12-01T09:00:00Z', printed: '2026-12-01T09:00:00Z' },
    { title: 'keeps an offset', text: '2026-12-01T09:00:00-03:30', printed: '2026-12-01T09:00:00-03:30' },
    { title: 'keeps a missing offset', text: '2026-12-01T09:00:00', printed: '2026-12-01T09:00:00' },
    {
      title: 'keeps every digit of a fraction',
      text: '2026-12-01T09:00:00.1234567Z',
      printed: '2026-12-01T09:00:00.1234567Z',
    },
    { title: 'normalizes lower-case letters', text: '2026-12-01t09:00:00z', printed: '2026-12-01T09:00:00Z' },
    { title: 'normalizes a blank to T', text: '2026-12-01 09:00:00Z', printed: '2026-12-01T09:00:00Z' },
    {
      title: 'adds the colon of an offset',
      text: '2026-12-01T09:00:00+0530',
      printed: '2026-12-01T09:00:00+05:30',
    },
    {
      title: 'adds the minutes of an offset',
      text: '2026-12-01T09:00:00+01',
      printed: '2026-12-01T09:00:00+01:00',
    },
  ])('$title', ({ text, printed }) => {
    expect(printDateTime(read(text))).toBe(printed);
  });

  test.each([
    '2026-12-01',
    '2026-12-01T09:00',
    '2026-13-01T09:00:00Z',
    '2026-12-01T25:00:00Z',
    'tomorrow',
    '',
  ])('refuses "%s"', (text) => {
    expect(parseDateTime(text)).toBeUndefined();
  });
});

describe('instantOf', () => {
  test.each([
    { title: 'Z', text: '2026-12-01T09:00:00Z', instant: '2026-12-01T09:00:00.000Z' },
    {
      title: 'an offset, which overrides the time zone',
      text: '2026-12-01T09:00:00+02:00',
      zone: 'Asia/Tokyo',
      instant: '2026-12-01T07:00:00.000Z',
    },
    {
      title: 'a negative half-hour offset',
      text: '2026-12-01T09:00:00-03:30',
      instant: '2026-12-01T12:30:00.000Z',
    },
    { title: 'a fraction', text: '2026-12-01T09:00:00.25Z', instant: '2026-12-01T09:00:00.250Z' },
    {
      title: 'winter time of a time zone',
      text: '2026-12-01T09:00:00',
      zone: 'Europe/Berlin',
      instant: '2026-12-01T08:00:00.000Z',
    },
    {
      title: 'summer time of a time zone',
      text: '2026-07-01T09:00:00',
      zone: 'Europe/Berlin',
      instant: '2026-07-01T07:00:00.000Z',
    },
    {
      title: 'a time zone with quarter hours',
      text: '2026-12-01T09:00:00',
      zone: 'Asia/Kathmandu',
      instant: '2026-12-01T03:15:00.000Z',
    },
    {
      title: 'a time zone with seconds in its offset',
      text: '1960-01-01T00:00:00',
      zone: 'Africa/Monrovia',
      instant: '1960-01-01T00:44:30.000Z',
    },
    {
      title: 'the first of a repeated hour',
      text: '2026-10-25T02:30:00',
      zone: 'Europe/Berlin',
      instant: '2026-10-25T00:30:00.000Z',
    },
    {
      title: 'a skipped hour by the earlier offset',
      text: '2026-03-29T02:30:00',
      zone: 'Europe/Berlin',
      instant: '2026-03-29T01:30:00.000Z',
    },
  ])('reads $title', ({ text, zone, instant }) => {
    expect(new Date(instantOf(read(text), zone) ?? Number.NaN).toISOString()).toBe(instant);
  });

  test('returns no instant without an offset and a time zone', () => {
    expect(instantOf(read('2026-12-01T09:00:00'))).toBeUndefined();
  });
});

describe('addMinutes', () => {
  test.each([
    { title: 'to a start with Z', start: '2026-12-01T23:45:00Z', minutes: 30, end: '2026-12-02T00:15:00Z' },
    {
      title: 'to a start with an offset, which is kept across a clock change',
      start: '2026-03-29T01:30:00+01:00',
      minutes: 60,
      zone: 'Europe/Berlin',
      end: '2026-03-29T02:30:00+01:00',
    },
    {
      title: 'to a start with a fraction',
      start: '2026-12-01T09:00:00.5',
      minutes: 1,
      zone: 'UTC',
      end: '2026-12-01T09:01:00.5',
    },
    {
      title: 'in a time zone',
      start: '2026-12-01T09:00:00',
      minutes: 90,
      zone: 'America/New_York',
      end: '2026-12-01T10:30:00',
    },
    {
      title: 'across the skipped hour in spring',
      start: '2026-03-29T01:30:00',
      minutes: 60,
      zone: 'Europe/Berlin',
      end: '2026-03-29T03:30:00',
    },
    {
      title: 'across the repeated hour in autumn',
      start: '2026-10-25T01:30:00',
      minutes: 180,
      zone: 'Europe/Berlin',
      end: '2026-10-25T03:30:00',
    },
    {
      title: 'up to the first pass of a repeated hour',
      start: '2026-11-01T00:30:00',
      minutes: 60,
      zone: 'America/New_York',
      end: '2026-11-01T01:30:00',
    },
    {
      title: 'up to the second pass of a repeated hour, which needs an offset',
      start: '2026-11-01T01:30:00',
      minutes: 60,
      zone: 'America/New_York',
      end: '2026-11-01T06:30:00Z',
    },
    {
      title: 'across a clock change of half an hour',
      start: '2026-04-05T01:00:00',
      minutes: 120,
      zone: 'Australia/Lord_Howe',
      end: '2026-04-05T02:30:00',
    },
    {
      title: 'across a skipped day',
      start: '2011-12-29T23:00:00',
      minutes: 120,
      zone: 'Pacific/Apia',
      end: '2011-12-31T01:00:00',
    },
  ])('adds elapsed time $title', ({ start, minutes, zone, end }) => {
    expect(later(start, minutes, zone)).toBe(end);
  });

  test.each([
    { title: 'the year 10000', start: '9999-12-31T23:00:00Z', minutes: 60 },
    {
      title: 'a number beyond the range of dates',
      start: '2026-12-01T09:00:00Z',
      minutes: Number.MAX_SAFE_INTEGER,
    },
    { title: 'a start without an offset and a time zone', start: '2026-12-01T09:00:00', minutes: 60 },
  ])('returns no end for $title', ({ start, minutes }) => {
    expect(later(start, minutes)).toBeUndefined();
  });

  const start = fc
    .date({
      min: new Date('1970-01-02T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(0, 19));
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const minutes = fc.integer({ min: 1, max: 3 * 24 * 60 });
  const length = (from: string, to: string, timeZone: string) =>
    (instantOf(read(to), timeZone) ?? Number.NaN) - (instantOf(read(from), timeZone) ?? Number.NaN);

  test('the end is the duration after the start in any time zone and across any clock change', () => {
    fc.assert(
      fc.property(start, minutes, zone, (from, duration, timeZone) => {
        expect(length(from, later(from, duration, timeZone) ?? '', timeZone)).toBe(duration * 60_000);
      }),
      { seed: 2026, numRuns: 300 },
    );
  });

  test('the end is the duration after the start with any offset', () => {
    const offset = fc
      .tuple(
        fc.constantFrom('+', '-'),
        fc.integer({ min: 0, max: 14 }),
        fc.constantFrom('00', '15', '30', '45'),
      )
      .map(([sign, hours, rest]) => `${sign}${String(hours).padStart(2, '0')}:${rest}`);
    fc.assert(
      fc.property(start, offset, minutes, zone, (wall, suffix, duration, timeZone) => {
        const end = later(wall + suffix, duration, timeZone) ?? '';
        expect(end.endsWith(suffix)).toBe(true);
        expect(length(wall + suffix, end, timeZone)).toBe(duration * 60_000);
      }),
      { seed: 2026 },
    );
  });

  test('the end is the duration after the start in every hour around a clock change', () => {
    const changes = [
      { timeZone: 'America/New_York', around: '2026-03-08T07:00:00Z' },
      { timeZone: 'America/New_York', around: '2026-11-01T06:00:00Z' },
      { timeZone: 'Australia/Lord_Howe', around: '2026-10-03T15:30:00Z' },
      { timeZone: 'Africa/Casablanca', around: '2026-03-22T02:00:00Z' },
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...changes),
        fc.integer({ min: -48 * 60, max: 48 * 60 }),
        minutes,
        ({ timeZone, around }, distance, duration) => {
          const from = new Date(Date.parse(around) + distance * 60_000).toISOString().slice(0, 19);
          expect(length(from, later(from, duration, timeZone) ?? '', timeZone)).toBe(duration * 60_000);
        },
      ),
      { seed: 2026, numRuns: 300 },
    );
  });
});

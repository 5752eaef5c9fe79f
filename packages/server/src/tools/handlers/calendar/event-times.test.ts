import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../errors.js';
import { changedTimes, needsStoredTimes, newTimes, type TimeInput } from './event-times.js';
import { readEvent } from './stored-event.js';

const BERLIN = 'Europe/Berlin';
const timed = readEvent({
  id: 'a',
  start: { dateTime: '2026-12-01T09:00:00+01:00', timeZone: BERLIN },
  end: { dateTime: '2026-12-01T09:30:00+01:00', timeZone: BERLIN },
});
const allDay = readEvent({ id: 'b', start: { date: '2026-12-01' }, end: { date: '2026-12-02' } });
const flight = readEvent({
  id: 'c',
  start: { dateTime: '2026-12-01T09:00:00+01:00', timeZone: BERLIN },
  end: { dateTime: '2026-12-01T11:00:00Z', timeZone: 'Europe/London' },
});

const refusalOf = (attempt: () => unknown) => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, ...error.details };
  }
  return undefined;
};
const refusal = (field: string, rule: string) => ({
  code: 'invalid_input',
  errors: [{ field, rule, message: expect.any(String) }],
});

describe('a new event', () => {
  test.each([
    {
      title: 'lasts 30 minutes by default',
      input: { start_datetime: '2026-12-01T09:00:00Z' },
      start: { dateTime: '2026-12-01T09:00:00Z' },
      end: { dateTime: '2026-12-01T09:30:00Z' },
    },
    {
      title: 'adds hours and minutes',
      input: {
        start_datetime: '2026-12-01T09:00:00+01:00',
        event_duration_hour: 1,
        event_duration_minutes: 90,
      },
      start: { dateTime: '2026-12-01T09:00:00+01:00' },
      end: { dateTime: '2026-12-01T11:30:00+01:00' },
    },
    {
      title: 'lasts whole hours without minutes',
      input: { start_datetime: '2026-12-01T09:00:00Z', event_duration_hour: 2 },
      start: { dateTime: '2026-12-01T09:00:00Z' },
      end: { dateTime: '2026-12-01T11:00:00Z' },
    },
    {
      title: 'keeps its offset and has the time zone',
      input: { start_datetime: '2026-12-01T09:00:00Z', timezone: BERLIN },
      start: { dateTime: '2026-12-01T09:00:00Z', timeZone: BERLIN },
      end: { dateTime: '2026-12-01T09:30:00Z', timeZone: BERLIN },
    },
    {
      title: 'keeps its length across the skipped hour in spring',
      input: { start_datetime: '2026-03-29T01:30:00', timezone: BERLIN, event_duration_hour: 2 },
      start: { dateTime: '2026-03-29T01:30:00', timeZone: BERLIN },
      end: { dateTime: '2026-03-29T04:30:00', timeZone: BERLIN },
    },
    {
      title: 'keeps its length across the repeated hour in autumn',
      input: { start_datetime: '2026-10-25T01:30:00', timezone: BERLIN, event_duration_hour: 2 },
      start: { dateTime: '2026-10-25T01:30:00', timeZone: BERLIN },
      end: { dateTime: '2026-10-25T01:30:00Z', timeZone: BERLIN },
    },
  ])('$title', ({ input, start, end }) => {
    expect(newTimes(input)).toEqual({ start, end });
  });

  test.each([
    {
      title: 'neither an offset nor a time zone',
      input: { start_datetime: '2026-12-01T09:00:00' },
      refused: refusal('timezone', 'required'),
    },
    {
      title: 'only a date',
      input: { start_datetime: '2026-12-01', timezone: BERLIN },
      refused: refusal('start_datetime', 'format'),
    },
    {
      title: 'a zero length',
      input: { start_datetime: '2026-12-01T09:00:00Z', event_duration_hour: 0, event_duration_minutes: 0 },
      refused: refusal('event_duration_minutes', 'before'),
    },
    {
      title: 'a negative length',
      input: { start_datetime: '2026-12-01T09:00:00Z', event_duration_hour: -1 },
      refused: refusal('event_duration_minutes', 'before'),
    },
    {
      title: 'an end after the year 9999',
      input: { start_datetime: '9999-12-31T09:00:00Z', event_duration_hour: 24 },
      refused: refusal('event_duration_hour', 'maximum'),
    },
  ])('is refused with $title', ({ input, refused }) => {
    expect(refusalOf(() => newTimes(input))).toEqual(refused);
  });
});

interface Change {
  readonly title: string;
  readonly input: TimeInput;
  readonly stored?: typeof timed;
  readonly start?: object;
  readonly end?: object;
}

describe('a change of times', () => {
  test.each<Change>([
    { title: 'writes nothing without times', input: {} },
    {
      title: 'moves only the start',
      input: { start_datetime: '2026-12-01T08:00:00Z' },
      start: { dateTime: '2026-12-01T08:00:00Z' },
    },
    {
      title: 'moves only the end',
      input: { end_datetime: '2026-12-01T10:00:00Z' },
      end: { dateTime: '2026-12-01T10:00:00Z' },
    },
    {
      title: 'writes both ends for a start and a duration',
      input: { start_datetime: '2026-12-01T08:00:00Z', event_duration_minutes: 45 },
      start: { dateTime: '2026-12-01T08:00:00Z' },
      end: { dateTime: '2026-12-01T08:45:00Z' },
    },
    {
      title: 'prefers the end to a duration',
      input: {
        start_datetime: '2026-12-01T08:00:00Z',
        end_datetime: '2026-12-01T10:00:00Z',
        event_duration_hour: 9,
      },
      start: { dateTime: '2026-12-01T08:00:00Z' },
      end: { dateTime: '2026-12-01T10:00:00Z' },
    },
    {
      title: 'adds a duration to the stored start',
      input: { event_duration_hour: 2 },
      stored: timed,
      end: { dateTime: '2026-12-01T11:00:00+01:00', timeZone: BERLIN },
    },
    {
      title: 'keeps the different time zone of the end',
      input: { event_duration_hour: 2 },
      stored: flight,
      end: { dateTime: '2026-12-01T11:00:00+01:00', timeZone: 'Europe/London' },
    },
    {
      title: 'keeps both instants when only the time zone changes',
      input: { timezone: 'Asia/Tokyo' },
      stored: timed,
      start: { dateTime: '2026-12-01T09:00:00+01:00', timeZone: 'Asia/Tokyo' },
      end: { dateTime: '2026-12-01T09:30:00+01:00', timeZone: 'Asia/Tokyo' },
    },
    {
      title: 'sets the time zone of both ends when only the start moves',
      input: { start_datetime: '2026-12-01T17:00:00', timezone: 'Asia/Tokyo' },
      stored: timed,
      start: { dateTime: '2026-12-01T17:00:00', timeZone: 'Asia/Tokyo' },
      end: { dateTime: '2026-12-01T09:30:00+01:00', timeZone: 'Asia/Tokyo' },
    },
    {
      title: 'turns an all-day event into a timed one',
      input: { start_datetime: '2026-12-01T08:00:00Z', end_datetime: '2026-12-01T09:00:00Z' },
      stored: allDay,
      start: { dateTime: '2026-12-01T08:00:00Z' },
      end: { dateTime: '2026-12-01T09:00:00Z' },
    },
  ])('$title', ({ input, stored, start, end }) => {
    const expected = {
      ...(start && { start: { date: null, ...start } }),
      ...(end && { end: { date: null, ...end } }),
    };
    expect(changedTimes(input, stored)).toEqual(expected);
  });

  test.each([
    {
      title: 'an end before the start',
      input: { start_datetime: '2026-12-01T10:00:00+01:00', end_datetime: '2026-12-01T09:00:00Z' },
      refused: refusal('end_datetime', 'before'),
    },
    {
      title: 'an end before the stored start',
      input: { end_datetime: '2026-12-01T07:00:00Z' },
      stored: timed,
      refused: refusal('end_datetime', 'before'),
    },
    {
      title: 'a start at the stored end',
      input: { start_datetime: '2026-12-01T08:30:00Z' },
      stored: timed,
      refused: refusal('start_datetime', 'before'),
    },
    {
      title: 'a zero length',
      input: { event_duration_minutes: 0 },
      stored: timed,
      refused: refusal('event_duration_minutes', 'before'),
    },
    {
      title: 'a start with neither an offset nor a time zone',
      input: { start_datetime: '2026-12-01T08:00:00' },
      stored: timed,
      refused: refusal('timezone', 'required'),
    },
    {
      title: 'an end with neither an offset nor a time zone',
      input: { end_datetime: '2026-12-01T08:00:00' },
      refused: refusal('timezone', 'required'),
    },
    {
      title: 'only a duration for an all-day event',
      input: { event_duration_hour: 1 },
      stored: allDay,
      refused: refusal('start_datetime', 'required'),
    },
    {
      title: 'only a time zone for an all-day event',
      input: { timezone: BERLIN },
      stored: allDay,
      refused: refusal('timezone', 'requiredWith'),
    },
  ])('is refused with $title', ({ input, stored, refused }) => {
    expect(refusalOf(() => changedTimes(input, stored))).toEqual(refused);
  });
});

test.each<{ readonly input: TimeInput; readonly needed: boolean }>([
  { input: {}, needed: false },
  { input: { start_datetime: 's' }, needed: false },
  { input: { end_datetime: 'e' }, needed: false },
  { input: { start_datetime: 's', event_duration_hour: 1 }, needed: false },
  { input: { end_datetime: 'e', event_duration_hour: 1 }, needed: false },
  { input: { start_datetime: 's', event_duration_hour: 1, timezone: 'z' }, needed: false },
  { input: { start_datetime: 's', end_datetime: 'e', timezone: 'z' }, needed: false },
  { input: { event_duration_minutes: 0 }, needed: true },
  { input: { timezone: 'z' }, needed: true },
  { input: { start_datetime: 's', timezone: 'z' }, needed: true },
  { input: { end_datetime: 'e', event_duration_hour: 1, timezone: 'z' }, needed: true },
])('the stored times are needed for $input: $needed', ({ input, needed }) => {
  expect(needsStoredTimes(input)).toBe(needed);
});

import { describe, expect, test } from 'vitest';
import { dayOf, duration, hourOf, minuteOf, secondOf, since, timesInWords } from './times.ts';

const NOW = Date.parse('2026-11-24T11:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  { ago: 0, text: 'now' },
  { ago: 499, text: 'now' },
  { ago: 1000, text: '1 second ago' },
  { ago: 59_000, text: '59 seconds ago' },
  { ago: MINUTE, text: '1 minute ago' },
  { ago: HOUR - 1000, text: '59 minutes ago' },
  { ago: 3 * HOUR, text: '3 hours ago' },
  { ago: DAY, text: 'yesterday' },
  { ago: 2 * DAY, text: '2 days ago' },
  { ago: 1234 * DAY, text: '1,234 days ago' },
  { ago: -1000, text: 'in 1 second' },
  { ago: -5 * MINUTE, text: 'in 5 minutes' },
  { ago: -DAY, text: 'tomorrow' },
  { ago: -90 * DAY, text: 'in 90 days' },
])('a time $ago ms ago is formatted as "$text"', ({ ago, text }) => {
  expect(since(NOW - ago, NOW)).toBe(text);
});

describe('dates and times', () => {
  const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 1 + month, month * 2, month));
  test.each([...months, new Date(1999, 11, 31, 23, 59, 59), new Date(2028, 1, 29, 0, 0, 0)])(
    '%s is formatted as by Intl',
    (at) => {
      const format = (options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat('en-GB', options).format(at);
      expect([dayOf(at), hourOf(at), minuteOf(at), secondOf(at)]).toEqual([
        format({ day: 'numeric', month: 'short' }),
        format({ hour: '2-digit', minute: '2-digit' }),
        format({ dateStyle: 'medium', timeStyle: 'short' }),
        format({ dateStyle: 'medium', timeStyle: 'medium' }),
      ]);
    },
  );
});

test.each([
  { ms: 999.4, text: '999 ms' },
  { ms: 999.6, text: '1.0 s' },
  { ms: 59_949, text: '59.9 s' },
  { ms: 59_960, text: '1 min 0 s' },
  { ms: 119_600, text: '2 min 0 s' },
  { ms: 7_265_000, text: '2 h 1 min' },
])('a duration of $ms ms is formatted as "$text"', ({ ms, text }) => {
  expect(duration(ms)).toBe(text);
});

test.each([
  { at: '2026-12-01T12:00:00Z', text: minuteOf(new Date('2026-12-01T12:00:00Z')) },
  { at: '2026-12-01T09:00:30.25+02:00', text: secondOf(new Date('2026-12-01T07:00:30Z')) },
  { at: '2026-12-01T09:00', text: '1 Dec 2026, 09:00' },
  { at: '2026-12-01', text: '2026-12-01' },
  { at: '2026-13-41T09:00:00Z', text: '2026-13-41T09:00:00Z' },
  { at: 'Notes of 2026-12-01T12:00:00Z', text: 'Notes of 2026-12-01T12:00:00Z' },
])('the value “$at” of a sentence is shown as “$text”', ({ at, text }) => {
  expect(timesInWords(`Create an event: start “${at}”; event “Review” (${at}).`)).toBe(
    `Create an event: start “${text}”; event “Review” (${text}).`,
  );
});

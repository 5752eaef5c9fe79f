import { expect, test } from 'vitest';
import { afterPage } from './watch-cursor.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const WATCH = {
  id: 'id',
  time: 'updatedAt',
  since: { input: 'from', format: 'date-time', overlap: 600, reach: 150 },
} as const;
const PAGE = { next: undefined, token: undefined, hasFound: false, hasFailed: false, hasReached: false };
const WEEK_AGO = NOW - 7 * 24 * HOUR_MS;

test.each([
  { title: 'after a complete page, from the overlap on', failed: [false], since: NOW - 600_000 },
  { title: 'after missing items, from a day earlier', failed: [true], since: NOW - 24 * HOUR_MS },
  {
    title: 'after missing items on an earlier page too',
    failed: [true, false],
    since: NOW - 24 * HOUR_MS,
  },
])('the next poll reads changes $title', ({ failed, since }) => {
  let cursor: ReturnType<typeof afterPage> = { since: WEEK_AGO };
  for (const [index, hasFailed] of failed.entries()) {
    const next = index < failed.length - 1 ? { page: index + 2 } : undefined;
    cursor = afterPage(WATCH, cursor, { ...PAGE, next, hasFailed }, NOW);
  }
  expect(cursor).toEqual({ since });
});

test('missing items never move the position of a watch back', () => {
  expect(afterPage(WATCH, { since: NOW - HOUR_MS }, { ...PAGE, hasFailed: true }, NOW)).toEqual({
    since: NOW - HOUR_MS,
  });
});

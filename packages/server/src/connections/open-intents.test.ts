import { expect, test } from 'vitest';
import { createClock } from '../../test/support/service/service-parts.js';
import { createOpenIntents } from './open-intents.js';

const INTENT = { id: 'acct_1', version: 3, refreshStartedAt: 1_000_000 };

test('R2: the refresh intent of another process is waited for, from when it was first seen', () => {
  const { now, advance } = createClock();
  const intents = createOpenIntents({ graceMs: 15_000, now });
  expect(intents.waitOf(INTENT)).toBe(15_000);
  advance(10_000);
  expect(intents.waitOf(INTENT)).toBe(5000);
  expect(intents.waitOf({ ...INTENT, refreshStartedAt: 1_000_001 })).toBe(15_000);
  advance(5000);
  expect(intents.waitOf(INTENT)).toBe(0);
});

test('R2: an intent is not waited for longer when the clock of the database is set back', () => {
  const { now, advance } = createClock();
  const intents = createOpenIntents({ graceMs: 15_000, now });
  expect(intents.waitOf(INTENT)).toBe(15_000);
  advance(-600_000);
  expect(intents.waitOf(INTENT)).toBe(15_000);
  advance(15_000);
  expect(intents.waitOf(INTENT)).toBe(0);
});

test('R2: there is no wait for an own intent, without an intent, or with a grace of zero', () => {
  const { now } = createClock();
  const intents = createOpenIntents({ graceMs: 15_000, now });
  intents.end(INTENT);
  expect(intents.waitOf(INTENT)).toBe(0);
  expect(intents.waitOf({ ...INTENT, refreshStartedAt: null })).toBe(0);
  expect(createOpenIntents({ graceMs: 0, now }).waitOf(INTENT)).toBe(0);
});

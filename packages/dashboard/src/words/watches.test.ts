import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_STATUS } from '../../../server/src/errors.ts';
import { watchSchema } from '../../../server/src/routes/watch-schemas.ts';
import { FAILURES, POLL_FAILURES, SUBSCRIPTIONS, watchWords } from './watches.ts';

const GUIDE = readFileSync(new URL('../../../docs/guides/watches.md', import.meta.url), 'utf8');

/** Reasons why a watch stops, from the table in the guide about watches. Only rows that say what to do count. */
const REASONS = [
  ...(GUIDE.split('| `reason` of a failed watch').at(1) ?? '').matchAll(/^\| (`.+?) \|/gm),
].flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, reason = '']) => reason));

test('every reason of the guide has an explanation, and no other reason has', () => {
  expect(Object.keys(FAILURES).toSorted()).toEqual(REASONS.toSorted());
});

test.each(REASONS)('a watch that failed by %s is explained with a remedy', (reason) => {
  const words = watchWords({ enabled: true, state: 'failed', reason });
  expect(words).toMatchObject({ tone: 'bad', title: 'Failed' });
  expect(words.explanation).toMatch(/^[A-Z][^_]{15,}\. (Delete|Change|Open) .+\.$/);
});

test('every state of the API has words, and a stopped watch has its own', () => {
  const states = watchSchema.properties.state.enum.map((state) =>
    watchWords({
      enabled: true,
      state: state as 'failed',
      ...(state === 'failed' && { reason: 'unknown_to_this_dashboard' }),
    }),
  );
  expect(states.map(({ title }) => title)).toEqual(['Starting', 'Watching', 'Paused', 'Failed']);
  expect(states.at(-1)?.explanation).toBe('The watch has ended: unknown_to_this_dashboard.');
  expect(watchWords({ enabled: false, state: 'watching' })).toMatchObject({
    tone: 'soft',
    title: 'Switched off',
  });
});

test('an unconfirmed webhook of an upstream is a warning', () => {
  expect(Object.values(SUBSCRIPTIONS).map(({ tone }) => tone)).toEqual(['good', 'warn']);
});

/** Reasons that the service stores after a failed poll, besides error codes. */
const POLL_REASONS = [
  ...readFileSync(new URL('../../../server/src/watches/poll-failure.ts', import.meta.url), 'utf8').matchAll(
    /(?:reason|tool_not_found|invalid_input): '([a-z_]+)'/g,
  ),
].map(([, reason = '']) => reason);

test('every reason of a failed poll has an explanation', () => {
  const known = [...Object.keys(POLL_FAILURES), ...Object.keys(ERROR_STATUS)];
  expect(POLL_REASONS.length).toBeGreaterThan(4);
  expect(POLL_REASONS.filter((reason) => !known.includes(reason))).toEqual([]);
});

test('a watch whose last poll failed says so, although it goes on', () => {
  for (const reason of [...Object.keys(POLL_FAILURES), ...Object.keys(ERROR_STATUS)]) {
    const words = watchWords({ enabled: true, state: 'watching', reason });
    expect(words).toMatchObject({ tone: 'warn', title: 'Last poll failed' });
    expect(words.explanation).toMatch(/^[A-Z][^_]{15,}\. The service polls again by itself\. /);
  }
  const unknown = watchWords({ enabled: true, state: 'starting', reason: 'from_the_future' });
  expect(unknown.explanation).toContain('from_the_future');
  const paused = watchWords({ enabled: true, state: 'paused', reason: 'account_not_authorized' });
  expect(paused.title).toBe('Paused');
});

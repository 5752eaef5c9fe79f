import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { watchSchema } from '../../../server/src/routes/watch-schemas.ts';
import { FAILURES, SUBSCRIPTIONS, watchWords } from './watches.ts';

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

test('a watch whose last poll failed says so, although it goes on', () => {
  const words = watchWords({ enabled: true, state: 'watching', reason: 'upstream_failed' });
  expect(words).toMatchObject({ tone: 'warn', title: 'Last poll failed' });
  expect(words.explanation).toContain('upstream_failed');
  const paused = watchWords({ enabled: true, state: 'paused', reason: 'account_not_authorized' });
  expect(paused.title).toBe('Paused');
});

import { expect, test } from 'vitest';
import { WATCH } from '../../test/support/databases/sample-rows.js';
import { createReadPage } from './read-page.js';

const walk = { startedAt: 1, pages: 1, hasFound: false, repeats: 0 };
const list = { watch: { id: 'id' }, items: 'items', input: {} };

test.each([
  { title: 'is read', next: { page_token: 'b' }, outcome: 'read' },
  { title: 'is refused if it is the same page again', next: { page_token: 'a' }, outcome: 'upstream_failed' },
])('the next page of a list $title', async ({ next, outcome }) => {
  const readPage = createReadPage({
    execute: (async () => ({ data: { items: [] }, nextInput: next })) as never,
    countCall: () => undefined,
  });
  const poll = { row: WATCH, list, cursor: { walk: { ...walk, next: { page_token: 'a' } } } };
  const read = readPage(poll as never, new AbortController().signal).then(
    () => 'read',
    (error) => error.code,
  );
  expect(await read).toBe(outcome);
});

test.each([
  { failed: ['act_1'], hasFailed: true },
  { failed: [], hasFailed: false },
  { failed: undefined, hasFailed: false },
])(
  'a page whose upstream reports the missing items $failed says so: $hasFailed',
  async ({ failed, hasFailed }) => {
    const readPage = createReadPage({
      execute: (async () => ({ data: { items: [], failed } })) as never,
      countCall: () => undefined,
    });
    const watched = { ...list, watch: { id: 'id', failed: 'failed' } };
    const page = await readPage(
      { row: WATCH, list: watched, cursor: {} } as never,
      new AbortController().signal,
    );
    expect(page.hasFailed).toBe(hasFailed);
  },
);

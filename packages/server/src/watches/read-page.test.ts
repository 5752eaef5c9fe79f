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

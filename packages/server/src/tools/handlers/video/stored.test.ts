import { expect, test, vi } from 'vitest';
import { mergePart, readStored } from './stored.js';

const REQUEST = { noun: 'video', path: '/youtube/v3/videos', part: 'snippet', id: 'v1' };

test('readStored returns the resource with the id', async () => {
  const stored = { id: 'v1', snippet: { title: 'Notes' } };
  const send = vi.fn(async () => ({ items: [stored] }));
  expect(await readStored(send, REQUEST)).toEqual(stored);
  expect(send).toHaveBeenCalledExactlyOnceWith({
    method: 'GET',
    path: '/youtube/v3/videos',
    query: { part: 'snippet', id: 'v1' },
  });
});

test.each([
  { title: 'no items', response: { items: [] } },
  { title: 'missing items', response: {} },
  { title: 'a null body', response: null },
])('readStored treats $title as a missing resource', async ({ response }) => {
  await expect(readStored(async () => response, REQUEST)).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no video "v1", or this user cannot see it. Check the id.',
  });
});

test.each([
  { title: 'keeps missing values', given: {}, merged: { on: true, text: 'old' } },
  { title: 'writes false', given: { on: false }, merged: { on: false, text: 'old' } },
  { title: 'writes an empty string', given: { text: '' }, merged: { on: true, text: '' } },
  { title: 'writes an empty list', given: { list: [] }, merged: { on: true, text: 'old', list: [] } },
  {
    title: 'keeps undefined values',
    given: { text: undefined },
    merged: { on: true, text: 'old' },
  },
])('mergePart $title', ({ given, merged }) => {
  const stored = { on: true, text: 'old', empty: null, readOnly: 'from the upstream' };
  expect(mergePart(stored, ['on', 'text', 'list', 'empty'], given)).toStrictEqual(merged);
});

test('mergePart writes the given values when the part is not stored', () => {
  expect(mergePart(undefined, ['on', 'text'], { on: true })).toStrictEqual({ on: true });
});

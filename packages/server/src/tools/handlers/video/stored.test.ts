import { expect, test, vi } from 'vitest';
import { mergePart, readStored } from './stored.js';

const REQUEST = { noun: 'video', path: '/youtube/v3/videos', part: 'snippet', id: 'v1' };

test('reads the one resource of that id', async () => {
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
  { title: 'no items', answer: { items: [] } },
  { title: 'missing items', answer: {} },
  { title: 'nothing', answer: null },
])('takes $title for a resource that does not exist', async ({ answer }) => {
  await expect(readStored(async () => answer, REQUEST)).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no video "v1", or this user cannot see it.',
  });
});

test.each([
  { title: 'keeps what is not given', given: {}, merged: { on: true, text: 'old' } },
  { title: 'writes false', given: { on: false }, merged: { on: false, text: 'old' } },
  { title: 'writes an empty text', given: { text: '' }, merged: { on: true, text: '' } },
  { title: 'writes an empty list', given: { list: [] }, merged: { on: true, text: 'old', list: [] } },
  {
    title: 'keeps what an input leaves undefined',
    given: { text: undefined },
    merged: { on: true, text: 'old' },
  },
])('$title', ({ given, merged }) => {
  const stored = { on: true, text: 'old', empty: null, readOnly: 'from the upstream' };
  expect(mergePart(stored, ['on', 'text', 'list', 'empty'], given)).toStrictEqual(merged);
});

test('writes what is given when the part is not stored', () => {
  expect(mergePart(undefined, ['on', 'text'], { on: true })).toStrictEqual({ on: true });
});

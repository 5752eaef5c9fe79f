import { expect, test } from 'vitest';
import { nextInput } from './next-page.js';

const paging = { input: 'cursor', output: 'meta/next', items: 'items', also: { key: 'meta/key' } };

test.each([
  { title: 'a text', data: { meta: { next: 'c2' } }, inputs: { cursor: 'c2' } },
  {
    title: 'a number, with what else it needs',
    data: { meta: { next: 2, key: 'k' } },
    inputs: { cursor: 2, key: 'k' },
  },
  {
    title: 'a number, where the rest is not there',
    data: { meta: { next: 2, key: null } },
    inputs: { cursor: 2 },
  },
  { title: 'zero, which is an offset', data: { meta: { next: 0 } }, inputs: { cursor: 0 } },
  { title: 'an empty text', data: { meta: { next: '' } } },
  { title: 'null', data: { meta: { next: null, key: 'k' } } },
  { title: 'false', data: { meta: { next: false } } },
  { title: 'nothing', data: { meta: {} } },
  { title: 'no object', data: null },
])('the next page is asked for by what data tell of it: $title', ({ data, inputs }) => {
  expect(nextInput(paging, data)).toEqual(inputs);
});

test('nothing asks for a page where no input does, or where there are none', () => {
  expect(nextInput({ output: 'next', items: 'items' }, { next: 2 })).toBeUndefined();
  expect(nextInput(undefined, { next: 2 })).toBeUndefined();
});

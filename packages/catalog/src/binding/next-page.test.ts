import { expect, test } from 'vitest';
import { nextInput } from './next-page.js';

const paging = { input: 'cursor', output: 'meta/next', items: 'items', also: { key: 'meta/key' } };

test.each([
  { title: 'a text', data: { meta: { next: 'c2' } }, inputs: { cursor: 'c2' } },
  {
    title: 'a number with the other inputs that paging needs',
    data: { meta: { next: 2, key: 'k' } },
    inputs: { cursor: 2, key: 'k' },
  },
  {
    title: 'a number without the optional other input',
    data: { meta: { next: 2, key: null } },
    inputs: { cursor: 2 },
  },
  { title: 'zero, which is a valid offset', data: { meta: { next: 0 } }, inputs: { cursor: 0 } },
  { title: 'no page for an empty text', data: { meta: { next: '' } } },
  { title: 'no page for null', data: { meta: { next: null, key: 'k' } } },
  { title: 'no page for false', data: { meta: { next: false } } },
  { title: 'no page for a missing field', data: { meta: {} } },
  { title: 'no page for data that is null', data: null },
])('nextInput returns $title', ({ data, inputs }) => {
  expect(nextInput(paging, data)).toEqual(inputs);
});

test('nextInput returns no page without an input for the cursor or without paging', () => {
  expect(nextInput({ output: 'next', items: 'items' }, { next: 2 })).toBeUndefined();
  expect(nextInput(undefined, { next: 2 })).toBeUndefined();
});

test.each([
  { title: 'a page when the flag is true', data: { more: true, next: 'c2' }, inputs: { cursor: 'c2' } },
  { title: 'no page when the flag is false, although there is a cursor', data: { more: false, next: 'c2' } },
  { title: 'a page when the flag is missing', data: { next: 'c2' }, inputs: { cursor: 'c2' } },
  { title: 'a page when the flag is null', data: { more: null, next: 'c2' }, inputs: { cursor: 'c2' } },
])('nextInput with a flag returns $title', ({ data, inputs }) => {
  expect(nextInput({ input: 'cursor', output: 'next', items: 'items', more: 'more' }, data)).toEqual(inputs);
});

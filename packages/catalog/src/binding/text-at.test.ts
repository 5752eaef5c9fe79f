import { expect, test } from 'vitest';
import { textAt } from './text-at.js';

const page = {
  properties: { Done: { checkbox: true }, Task: { title: [{ plain_text: 'Pay' }] } },
  items: [{ name: '  ' }, { name: 'Second' }],
  count: 3,
};

test.each([
  { title: 'a path of names and indexes', paths: ['items/1/name'], text: 'Second' },
  { title: 'a step for any name', paths: ['properties/*/title/0/plain_text'], text: 'Pay' },
  { title: 'a step for any index, without empty texts', paths: ['items/*/name'], text: 'Second' },
  {
    title: 'the first path that leads to a text',
    paths: ['name', 'items/0/name', 'items/1/name'],
    text: 'Second',
  },
  { title: 'no value that is not a text', paths: ['count', 'items', 'properties'], text: undefined },
  { title: 'no inherited name', paths: ['constructor/name', 'items/length'], text: undefined },
])('reads $title', ({ paths, text }) => {
  expect(textAt(page, paths)).toBe(text);
});

test.each([
  { position: 99, text: 'Late' },
  { position: 100, text: undefined },
])('visits at most 100 values: $position', ({ position, text }) => {
  const list = [...Array(position).fill({}), { name: 'Late' }];
  expect(textAt(list, ['*/name'])).toBe(text);
  expect(textAt({ a: list }, ['*/*/name'])).toBe(text);
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../json-schema.js';
import type { Paging } from '../tool.js';
import { bindValue } from './bind-value.js';
import { nextPage } from './next-page.js';
import { type Playable, play } from './play.js';

const input: JsonObject = {
  a: 'x',
  empty: '',
  no: false,
  yes: true,
  nothing: null,
  list: ['a', 'b c'],
  none: [],
  deep: { part: [1, 2] },
  encoded: '%3Ca%25',
};
const answer = { items: [{ id: 'i1', note: null }], next: 2 };

test.each([
  { title: 'a part of an input', binding: '{deep/part/1}', value: 2 },
  { title: 'a place in the answer', binding: '{/items/0/id}', value: 'i1' },
  { title: 'the whole answer', binding: { all: '{/}' }, value: { all: answer } },
  { title: 'no place in the answer', binding: ['{/items/3/id}', '{/items/length}'], value: [] },
  { title: 'the first that is there', binding: { $first: ['{gone}', '{/items/0/note}', '{a}'] }, value: 'x' },
  { title: 'the first, which is false', binding: { $first: ['{no}', '{a}'] }, value: false },
  { title: 'null that is written', binding: { $first: ['{gone}', null] }, value: null },
  { title: 'the first of none', binding: { $first: ['{gone}', '{nothing}'] }, value: undefined },
  { title: 'a value with an input', binding: { $with: '{a}', value: { b: '{a}' } }, value: { b: 'x' } },
  { title: 'a value with one of two', binding: { $with: ['{gone}', '{no}'], value: 1 }, value: 1 },
  { title: 'no value without an input', binding: { $with: '{nothing}', value: 1 }, value: undefined },
  {
    title: 'no value with a flag that is off',
    binding: { $with: { $filled: '{no}' }, value: 1 },
    value: undefined,
  },
  { title: 'what a table has', binding: { $table: '{a}', values: { x: 'y' } }, value: 'y' },
  { title: 'what a table has not', binding: { $table: '{a}', values: { b: 'y' } }, value: 'x' },
  {
    title: 'what a table has for a boolean',
    binding: { $table: '{no}', values: { false: 'none' } },
    value: 'none',
  },
  {
    title: 'what a table has for each item',
    binding: { $table: '{list}', values: { a: 1 } },
    value: [1, 'b c'],
  },
  { title: 'nothing a table inherits', binding: { $table: 'toString', values: {} }, value: 'toString' },
  {
    title: 'what is filled',
    binding: ['{empty}', '{no}', '{none}', '{yes}'].map((of) => ({ $filled: of })),
    value: [true],
  },
  { title: 'a list with commas', binding: { $comma: '{list}' }, value: 'a,b c' },
  { title: 'no empty list', binding: { $comma: '{none}' }, value: undefined },
  { title: 'a text without its encoding', binding: { $decoded: '{encoded}' }, value: '<a%' },
])('binds $title', ({ binding, value }) => {
  expect(bindValue(binding, { input, answer })).toEqual(value);
});

test('does not take what an input holds for an operator', () => {
  const hostile = { value: { $first: ['{secret}'] }, secret: 's' };
  expect(bindValue({ a: '{value}' }, { input: hostile })).toEqual({ a: { $first: ['{secret}'] } });
});

const schema = { properties: { page: { type: 'integer' }, cursor: { type: 'string' } } };
const three = { items: [1, 2, 3] };

interface Case {
  readonly title: string;
  readonly paging: Partial<Paging>;
  readonly body?: unknown;
  readonly given?: JsonObject;
  readonly link?: string;
  readonly next: string | number | null;
}

const NUMBERED = { page: { number: 'meta/page', of: 'meta/pages' } };
const LINKS = '<https://x/a?page=1&per_page=2>; rel="prev", <https://x/a?per_page=2&page=3>; rel="next"';

test.each<Case>([
  { title: 'after this one', paging: NUMBERED, body: { meta: { page: 1, pages: 2 } }, next: 2 },
  { title: 'after the last', paging: NUMBERED, body: { meta: { page: 2, pages: 2 } }, next: null },
  { title: 'that is not told', paging: NUMBERED, body: { meta: null }, next: null },
  { title: 'that is told', paging: { page: { next: 'next' } }, body: { next: 7 }, next: 7 },
  {
    title: 'beyond the last',
    paging: { page: { ...NUMBERED.page, next: 'next' } },
    body: { next: 3, meta: { page: 2, pages: 2 } },
    next: null,
  },
  {
    title: 'after a full page',
    paging: { page: { size: 'size' } },
    body: three,
    given: { page: 4, size: 3 },
    next: 5,
  },
  {
    title: 'after the first full page',
    paging: { page: { size: 'size' } },
    body: three,
    given: { size: 3 },
    next: 2,
  },
  {
    title: 'after a short page',
    paging: { page: { size: 'size' } },
    body: three,
    given: { page: 4, size: 4 },
    next: null,
  },
  {
    title: 'by offset, of a total',
    paging: { offset: { total: 'total' } },
    body: { ...three, total: 9 },
    given: { page: 3 },
    next: 6,
  },
  {
    title: 'by offset, at the total',
    paging: { offset: { total: 'total' } },
    body: { ...three, total: 6 },
    given: { page: 3 },
    next: null,
  },
  {
    title: 'by offset, after a full page',
    paging: { offset: { size: 'size' } },
    body: three,
    given: { size: 3 },
    next: 3,
  },
  {
    title: 'by offset, after an empty page',
    paging: { offset: { total: 'total' } },
    body: { items: [], total: 9 },
    given: { page: 3 },
    next: null,
  },
  { title: 'by Link, as a number', paging: { link: 'page' }, link: LINKS, next: 3 },
  { title: 'by Link, as a text', paging: { input: 'cursor', link: 'page' }, link: LINKS, next: '3' },
  {
    title: 'by Link, with several relations',
    paging: { link: 'page' },
    link: '<?page=2&q=a,b>; title="x"; rel="last next"',
    next: 2,
  },
  {
    title: 'by Link, decoded',
    paging: { input: 'cursor', link: 'after' },
    link: '</a?after=a%2Bb%3D>; rel=next',
    next: 'a+b=',
  },
  {
    title: 'by a Link without a next',
    paging: { link: 'page' },
    link: '<https://x/a?page=1>; rel="prev"',
    next: null,
  },
  { title: 'by no Link', paging: { link: 'page' }, next: null },
])('finds the page $title', ({ paging, body = {}, given = {}, link, next }) => {
  const full = { input: 'page', output: 'next', items: 'items', ...paging };
  const answer = { body, headers: { link } };
  expect(nextPage({ paging: full, input: given, schema, answer, data: body })).toBe(next);
});

function run(playable: Playable, given: JsonObject, bodies: readonly unknown[]) {
  const steps = play(playable, { input: given, schema });
  const sent = [];
  let step = steps.next();
  while (!step.done) {
    sent.push(step.value);
    step = steps.next({ body: bodies[sent.length - 1], headers: {} });
  }
  return { sent, data: step.value };
}

test('sends several requests in a row, each with a pointer into the answer before', () => {
  const requests = [
    { method: 'POST', path: '/jobs', body: { name: '{a}' } },
    { method: 'GET', path: '/jobs/{/id}/parts', query: { of: '{/kind}' } },
  ] as const;
  const answer = { data: { parts: '{/}', name: '{a}' } };
  const { sent, data } = run({ requests, answer }, { a: 'x' }, [{ id: 'j 1?', kind: 'k' }, [1]]);
  expect(sent).toEqual([
    { method: 'POST', path: '/jobs', body: { name: 'x' } },
    { method: 'GET', path: '/jobs/j%201%3F/parts', query: { of: 'k' } },
  ]);
  expect(data).toEqual({ parts: [1], name: 'x' });
});

test('takes nothing of an answer into a path that would leave its segment, and says what an answer lacks', () => {
  const requests = [
    { method: 'GET', path: '/a' },
    { method: 'GET', path: '/b/{/id}' },
  ] as const;
  expect(() => run({ requests }, {}, [{ id: '..' }])).toThrow('cannot be part of a path');
  expect(() => run({ requests }, {}, [{}])).toThrow('its answer has no "id"');
});

test('puts an array body under a name, and the next page beside it', () => {
  const requests = [{ method: 'GET', path: '/a' }] as const;
  const paging = { input: 'page', output: 'nextPage', items: 'list', page: { size: 'size' } };
  const { data } = run({ requests, answer: { data: { list: '{/}' } }, paging }, { size: 2 }, [[1, 2]]);
  expect(data).toEqual({ list: [1, 2], nextPage: 2 });
});

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
const response = { items: [{ id: 'i1', note: null }], next: 2 };

test.each([
  { title: 'a part of an input', binding: '{deep/part/1}', value: 2 },
  { title: 'a path in the response', binding: '{/items/0/id}', value: 'i1' },
  { title: 'the whole response', binding: { all: '{/}' }, value: { all: response } },
  { title: 'no missing path in the response', binding: ['{/items/3/id}', '{/items/length}'], value: [] },
  {
    title: 'the first value that is present',
    binding: { $first: ['{absent}', '{/items/0/note}', '{a}'] },
    value: 'x',
  },
  { title: 'the first present value, which is false', binding: { $first: ['{no}', '{a}'] }, value: false },
  { title: 'a literal null as fallback', binding: { $first: ['{absent}', null] }, value: null },
  {
    title: 'undefined when $first finds no value',
    binding: { $first: ['{absent}', '{nothing}'] },
    value: undefined,
  },
  {
    title: 'a value whose $with input is present',
    binding: { $with: '{a}', value: { b: '{a}' } },
    value: { b: 'x' },
  },
  {
    title: 'a value if one of two $with inputs is present',
    binding: { $with: ['{absent}', '{no}'], value: 1 },
    value: 1,
  },
  {
    title: 'no value if the $with input is null',
    binding: { $with: '{nothing}', value: 1 },
    value: undefined,
  },
  {
    title: 'no value if the $with flag is false',
    binding: { $with: { $filled: '{no}' }, value: 1 },
    value: undefined,
  },
  { title: 'the $table entry of an input', binding: { $table: '{a}', values: { x: 'y' } }, value: 'y' },
  {
    title: 'an input without a $table entry unchanged',
    binding: { $table: '{a}', values: { b: 'y' } },
    value: 'x',
  },
  {
    title: 'the $table entry of a boolean',
    binding: { $table: '{no}', values: { false: 'none' } },
    value: 'none',
  },
  {
    title: 'the $table entry of each item',
    binding: { $table: '{list}', values: { a: 1 } },
    value: [1, 'b c'],
  },
  {
    title: 'no inherited property of a $table',
    binding: { $table: 'toString', values: {} },
    value: 'toString',
  },
  {
    title: 'true for a $filled input that is not empty',
    binding: ['{empty}', '{no}', '{none}', '{yes}'].map((of) => ({ $filled: of })),
    value: [true],
  },
  { title: 'a list joined with commas', binding: { $comma: '{list}' }, value: 'a,b c' },
  { title: 'no value for an empty $comma list', binding: { $comma: '{none}' }, value: undefined },
  { title: 'a text with its percent encoding removed', binding: { $decoded: '{encoded}' }, value: '<a%' },
])('binds $title', ({ binding, value }) => {
  expect(bindValue(binding, { input, response })).toEqual(value);
});

test('does not evaluate operators inside an input value', () => {
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
  { title: '2 after page 1 of 2', paging: NUMBERED, body: { meta: { page: 1, pages: 2 } }, next: 2 },
  { title: 'null after the last page', paging: NUMBERED, body: { meta: { page: 2, pages: 2 } }, next: null },
  { title: 'null when the page number is missing', paging: NUMBERED, body: { meta: null }, next: null },
  { title: 'the number that the body names', paging: { page: { next: 'next' } }, body: { next: 7 }, next: 7 },
  {
    title: 'null after the last page although the body names a next page',
    paging: { page: { ...NUMBERED.page, next: 'next' } },
    body: { next: 3, meta: { page: 2, pages: 2 } },
    next: null,
  },
  {
    title: '5 after a full page 4',
    paging: { page: { size: 'size' } },
    body: three,
    given: { page: 4, size: 3 },
    next: 5,
  },
  {
    title: '2 after a full page without a given number',
    paging: { page: { size: 'size' } },
    body: three,
    given: { size: 3 },
    next: 2,
  },
  {
    title: 'null after a short page',
    paging: { page: { size: 'size' } },
    body: three,
    given: { page: 4, size: 4 },
    next: null,
  },
  {
    title: 'offset 6 of a larger total',
    paging: { offset: { total: 'total' } },
    body: { ...three, total: 9 },
    given: { page: 3 },
    next: 6,
  },
  {
    title: 'null at an offset that reaches the total',
    paging: { offset: { total: 'total' } },
    body: { ...three, total: 6 },
    given: { page: 3 },
    next: null,
  },
  {
    title: 'offset 3 after a full page',
    paging: { offset: { size: 'size' } },
    body: three,
    given: { size: 3 },
    next: 3,
  },
  {
    title: 'null after an empty page, although the total is larger',
    paging: { offset: { total: 'total' } },
    body: { items: [], total: 9 },
    given: { page: 3 },
    next: null,
  },
  { title: 'the number in the Link header', paging: { link: 'page' }, link: LINKS, next: 3 },
  {
    title: 'the number in the Link header as a text',
    paging: { input: 'cursor', link: 'page' },
    link: LINKS,
    next: '3',
  },
  {
    title: 'the page of a Link header with several relations',
    paging: { link: 'page' },
    link: '<?page=2&q=a,b>; title="x"; rel="last next"',
    next: 2,
  },
  {
    title: 'the percent-decoded value of a Link header',
    paging: { input: 'cursor', link: 'after' },
    link: '</a?after=a%2Bb%3D>; rel=next',
    next: 'a+b=',
  },
  {
    title: 'null for a Link header without rel="next"',
    paging: { link: 'page' },
    link: '<https://x/a?page=1>; rel="prev"',
    next: null,
  },
  {
    title: 'the id of the last item',
    paging: { input: 'cursor', last: 'meta/id' },
    body: { items: [{ meta: { id: 'a' } }, { meta: { id: 'b' } }] },
    next: 'b',
  },
  {
    title: 'null after an empty page without a last item',
    paging: { input: 'cursor', last: 'id' },
    body: { items: [] },
    next: null,
  },
  {
    title: 'null when the flag is false, although there is a last item',
    paging: { input: 'cursor', last: 'id', more: 'more' },
    body: { items: [{ id: 'a' }], more: false },
    next: null,
  },
  {
    title: '3 after a short page 2 whose flag is true',
    paging: { page: { size: 'size' }, more: 'more' },
    body: { ...three, more: true },
    given: { page: 2, size: 4 },
    next: 3,
  },
  {
    title: 'null after a full page whose flag is false',
    paging: { offset: { size: 'size' }, more: 'more' },
    body: { ...three, more: false },
    given: { size: 3 },
    next: null,
  },
  { title: 'null when the Link header is missing', paging: { link: 'page' }, next: null },
])('computes the next page: $title', ({ paging, body = {}, given = {}, link, next }) => {
  const full = { input: 'page', output: 'next', items: 'items', ...paging };
  const response = { body, headers: { link } };
  expect(nextPage({ paging: full, input: given, schema, response, data: body })).toBe(next);
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

test('sends several requests in sequence, each with values from the response before', () => {
  const requests = [
    { method: 'POST', path: '/jobs', body: { name: '{a}' } },
    { method: 'GET', path: '/jobs/{/id}/parts', query: { of: '{/kind}' } },
  ] as const;
  const response = { data: { parts: '{/}', name: '{a}' } };
  const { sent, data } = run({ requests, response }, { a: 'x' }, [{ id: 'j 1?', kind: 'k' }, [1]]);
  expect(sent).toEqual([
    { method: 'POST', path: '/jobs', body: { name: 'x' } },
    { method: 'GET', path: '/jobs/j%201%3F/parts', query: { of: 'k' } },
  ]);
  expect(data).toEqual({ parts: [1], name: 'x' });
});

test('refuses a response value that would leave its path segment, and names a missing response field', () => {
  const requests = [
    { method: 'GET', path: '/a' },
    { method: 'GET', path: '/b/{/id}' },
  ] as const;
  const problems = {
    '': 'is empty',
    '..': 'is "." or ".."',
    'a/b': 'contains a slash or a backslash',
    'a\n': 'contains a control character',
    '\ud800': 'is not valid Unicode',
  };
  for (const [id, problem] of Object.entries(problems))
    expect(() => run({ requests }, {}, [{ id }])).toThrow(`cannot be an id, because it ${problem};`);
  expect(() => run({ requests }, {}, [{}])).toThrow('its response has no value in the field "id"');
});

test('puts an array body into a field and the next page next to it', () => {
  const requests = [{ method: 'GET', path: '/a' }] as const;
  const paging = { input: 'page', output: 'nextPage', items: 'list', page: { size: 'size' } };
  const { data } = run({ requests, response: { data: { list: '{/}' } }, paging }, { size: 2 }, [[1, 2]]);
  expect(data).toEqual({ list: [1, 2], nextPage: 2 });
});

const CURSOR = { input: 'cursor', output: 'page/end', items: 'items', more: 'page/more' };

test.each([
  { title: 'a missing cursor', paging: CURSOR, body: { items: [1], page: { more: true } } },
  { title: 'an empty cursor', paging: CURSOR, body: { items: [1], page: { more: true, end: '' } } },
  {
    title: 'an empty page without a last item',
    paging: { ...CURSOR, output: 'next', last: 'id' },
    body: { items: [], page: { more: true } },
  },
])('a page that reports further pages is an error with $title', ({ paging, body }) => {
  const requests = [{ method: 'GET', path: '/a' }] as const;
  expect(() => run({ requests, paging }, {}, [body])).toThrow(
    expect.objectContaining({
      name: 'ResponseError',
      message: expect.stringContaining('The upstream reports further pages ("page/more" is true)'),
      response: expect.objectContaining(body),
    }),
  );
  const { input: _, ...unrequestable } = paging;
  expect(() => run({ requests, paging: unrequestable }, {}, [body])).not.toThrow();
});

test('a last item without the id that requests the next page is an error', () => {
  const requests = [{ method: 'GET', path: '/a' }] as const;
  const paging = { input: 'cursor', output: 'next', items: 'items', last: 'id' };
  expect(() => run({ requests, paging }, {}, [{ items: [{ id: 'a' }, { id: null }] }])).toThrow(
    'its response has no value in the field "items/1/id"',
  );
});

import { expect, test } from 'vitest';
import { closed, pageOf } from '../routes/list-schema.js';
import { createResponseWriter } from './compilers.js';

const text = { type: 'string' };
const write = (schema: object, answer: unknown) => JSON.parse(createResponseWriter(schema)(answer));

test.each([
  {
    title: 'of a page and its items',
    schema: pageOf(closed({ id: text, inner: closed({ a: text }) })),
    answer: { items: [{ id: '1', secret: 's', inner: { a: 'x', secret: 's' } }], secret: 's' },
    written: { items: [{ id: '1', inner: { a: 'x' } }] },
  },
  {
    title: 'with the name of an inherited property',
    schema: closed({ toString: text, constructor: text }),
    answer: {},
    written: {},
  },
])('a property $title that is not in the schema is not serialized', ({ schema, answer, written }) => {
  expect(write(schema, answer)).toEqual(written);
});

test.each([
  { title: 'null', schema: closed({ id: text }), answer: null },
  {
    title: 'an open object',
    schema: { type: 'object', additionalProperties: true },
    answer: { any: [1, { b: 2 }] },
  },
  { title: 'data without a schema', schema: closed({ data: {} }), answer: { data: { __proto__x: [null] } } },
])('$title is serialized unchanged', ({ schema, answer }) => {
  expect(write(schema, answer)).toEqual(answer);
});

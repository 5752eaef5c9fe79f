import { expect, test } from 'vitest';
import { createResponseWriter } from './compilers.js';
import { closed, pageOf } from './list-schema.js';

const text = { type: 'string' };
const write = (schema: object, response: unknown) => JSON.parse(createResponseWriter(schema)(response));

test.each([
  {
    title: 'of a page and its items',
    schema: pageOf({ title: 'Item', ...closed({ id: text, inner: closed({ a: text }) }), examples: [{}] }),
    response: { items: [{ id: '1', secret: 's', inner: { a: 'x', secret: 's' } }], secret: 's' },
    written: { items: [{ id: '1', inner: { a: 'x' } }] },
  },
  {
    title: 'with the name of an inherited property',
    schema: closed({ toString: text, constructor: text }),
    response: {},
    written: {},
  },
])('a property $title that is not in the schema is not serialized', ({ schema, response, written }) => {
  expect(write(schema, response)).toEqual(written);
});

test.each([
  { title: 'null', schema: closed({ id: text }), response: null },
  {
    title: 'an open object',
    schema: { type: 'object', additionalProperties: true },
    response: { any: [1, { b: 2 }] },
  },
  {
    title: 'data without a schema',
    schema: closed({ data: {} }),
    response: { data: { __proto__x: [null] } },
  },
])('$title is serialized unchanged', ({ schema, response }) => {
  expect(write(schema, response)).toEqual(response);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../json-schema.js';
import { bindArguments, bindRequest } from './bind-request.js';
import { bindValue } from './bind-value.js';

const input: JsonObject = {
  id: 'a b/c',
  count: 5,
  on: false,
  nothing: null,
  list: ['x', 'y'],
  nested: { deep: [1, { more: true }] },
};

test.each([
  { title: 'preserves a literal', binding: 'snippet', value: 'snippet' },
  { title: 'preserves literals that are not strings', binding: [1, true, null], value: [1, true, null] },
  { title: 'preserves a number as a number', binding: '{count}', value: 5 },
  { title: 'preserves false', binding: '{on}', value: false },
  { title: 'preserves null', binding: '{nothing}', value: null },
  { title: 'preserves nested objects unchanged', binding: '{nested}', value: { deep: [1, { more: true }] } },
  { title: 'omits an absent input', binding: '{absent}', value: undefined },
  {
    title: 'omits an absent field and preserves its object',
    binding: { a: { b: '{absent}' } },
    value: { a: {} },
  },
  { title: 'omits an absent item and preserves its array', binding: ['{absent}', '{count}'], value: [5] },
  { title: 'binds at any depth', binding: { a: [{ b: '{id}' }] }, value: { a: [{ b: 'a b/c' }] } },
  { title: 'leaves text that contains a placeholder unchanged', binding: 'id {id}', value: 'id {id}' },
  {
    title: 'sends a name that begins with "$"',
    binding: { $$set: { $$: '{on}' } },
    value: { $set: { $: false } },
  },
  { title: 'ignores inherited properties of the input', binding: '{toString}', value: undefined },
])('$title', ({ binding, value }) => {
  expect(bindValue(binding, { input })).toEqual(value);
});

test('does not bind placeholders inside an input value', () => {
  expect(bindValue({ a: '{id}' }, { input: { id: '{secret}', secret: 's' } })).toEqual({ a: '{secret}' });
});

test('encodes an input in the path as one segment', () => {
  expect(
    bindRequest({ method: 'GET', path: '/v1/{id}/items/{count}' }, { input: { id: 'ä b?#', count: 5 } }).path,
  ).toBe('/v1/%C3%A4%20b%3F%23/items/5');
});

test.each(['.', '..', ''])('refuses %j as a path segment', (id) => {
  expect(() => bindRequest({ method: 'GET', path: '/v1/{id}' }, { input: { id } })).toThrow(
    expect.objectContaining({ name: 'InvalidInputError' }),
  );
});

test('binds query, headers and body', () => {
  const request = bindRequest(
    {
      method: 'POST',
      path: '/v1/search',
      query: { fixed: 'yes', max: '{count}', tag: '{list}', omitted: '{absent}' },
      headers: { 'x-version': '{count}', 'x-omitted': '{absent}' },
      body: { id: '{id}' },
    },
    { input },
  );
  expect(request).toEqual({
    method: 'POST',
    path: '/v1/search',
    query: { fixed: 'yes', max: 5, tag: ['x', 'y'] },
    headers: { 'x-version': '5' },
    body: { id: 'a b/c' },
  });
});

test('omits the body when its only input is absent', () => {
  expect(bindRequest({ method: 'POST', path: '/', body: '{absent}' }, { input })).toEqual({
    method: 'POST',
    path: '/',
  });
});

test('refuses an object in the query', () => {
  expect(() => bindRequest({ method: 'GET', path: '/', query: { a: '{nested}' } }, { input })).toThrow(
    /query.*"a"/,
  );
});

const json = fc.jsonValue({ maxDepth: 3 });
const name = fc.stringMatching(/^[a-z]\w{0,5}$/);

test('passes any value through unchanged at any depth', () => {
  fc.assert(
    fc.property(name, json, (key, value) => {
      const bound = bindValue(
        { a: [{ b: `{${key}}` }] },
        { input: Object.fromEntries([[key, value as JsonObject[string]]]) },
      );
      expect(bound).toEqual({ a: [{ b: value }] });
    }),
  );
});

test('treats a binding without placeholders as a literal', () => {
  const literal = fc
    .jsonValue({ maxDepth: 3 })
    .filter((value) => !/\{\w+\}|"\$\$/.test(JSON.stringify(value)));
  fc.assert(
    fc.property(literal, (value) => {
      expect(bindValue(value, { input })).toEqual(value);
    }),
  );
});

test('a value in the path never leaves its segment', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
      fc.pre(!/^\.{1,2}$|[/\\\p{Cc}]/u.test(id));
      const { path } = bindRequest({ method: 'GET', path: '/v1/{id}/end' }, { input: { id } });
      expect(path.split('/')).toHaveLength(4);
      expect(new URL(`https://upstream.example${path}`).pathname).toBe(path);
      expect(decodeURIComponent(path.split('/')[2] ?? '')).toBe(id);
    }),
    { numRuns: 5_000 },
  );
});

test('binds the arguments of an MCP tool like a body', () => {
  const binding = {
    tool: 'list',
    arguments: { range: '{range}', end: '{end}', fixed: 1, deep: { ids: ['{id}'] } },
  };
  expect(bindArguments(binding, { range: 'custom', id: 'a' })).toEqual({
    range: 'custom',
    fixed: 1,
    deep: { ids: ['a'] },
  });
  expect(bindArguments({ tool: 'list' }, { range: 'custom' })).toEqual({});
});

test('omits null values in query and headers', () => {
  const values = { a: '{nothing}', b: '{count}' };
  const request = { method: 'GET' as const, path: '/', query: values, headers: values };
  expect(bindRequest(request, { input })).toMatchObject({ query: { b: 5 }, headers: { b: '5' } });
  expect(JSON.stringify(bindRequest(request, { input }))).not.toContain('"a"');
});

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
  { title: 'keeps a literal', binding: 'snippet', value: 'snippet' },
  { title: 'keeps literals that are not strings', binding: [1, true, null], value: [1, true, null] },
  { title: 'keeps a number a number', binding: '{count}', value: 5 },
  { title: 'keeps false', binding: '{on}', value: false },
  { title: 'keeps null', binding: '{nothing}', value: null },
  { title: 'keeps objects whole', binding: '{nested}', value: { deep: [1, { more: true }] } },
  { title: 'lets an absent input vanish', binding: '{absent}', value: undefined },
  {
    title: 'lets an absent field vanish and keeps its object',
    binding: { a: { b: '{absent}' } },
    value: { a: {} },
  },
  { title: 'lets an absent item vanish and keeps its array', binding: ['{absent}', '{count}'], value: [5] },
  { title: 'binds at any depth', binding: { a: [{ b: '{id}' }] }, value: { a: [{ b: 'a b/c' }] } },
  { title: 'takes text with a name in it as it stands', binding: 'id {id}', value: 'id {id}' },
  { title: 'does not read what an object inherits', binding: '{toString}', value: undefined },
])('$title', ({ binding, value }) => {
  expect(bindValue(binding, { input })).toEqual(value);
});

test('does not bind what an input holds again', () => {
  expect(bindValue({ a: '{id}' }, { input: { id: '{secret}', secret: 's' } })).toEqual({ a: '{secret}' });
});

test('encodes a name in the path as one segment', () => {
  expect(
    bindRequest({ method: 'GET', path: '/v1/{id}/items/{count}' }, { input: { id: 'ä b?#', count: 5 } }).path,
  ).toBe('/v1/%C3%A4%20b%3F%23/items/5');
});

test.each(['.', '..', ''])('refuses %j as a segment of the path', (id) => {
  expect(() => bindRequest({ method: 'GET', path: '/v1/{id}' }, { input: { id } })).toThrow(
    expect.objectContaining({ name: 'InvalidInputError' }),
  );
});

test('binds query, headers and body', () => {
  const request = bindRequest(
    {
      method: 'POST',
      path: '/v1/search',
      query: { fixed: 'yes', max: '{count}', tag: '{list}', gone: '{absent}' },
      headers: { 'x-version': '{count}', 'x-gone': '{absent}' },
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

test('leaves a body out when all of it is absent', () => {
  expect(bindRequest({ method: 'POST', path: '/', body: '{absent}' }, { input })).toEqual({
    method: 'POST',
    path: '/',
  });
});

test('refuses an object in the query', () => {
  expect(() => bindRequest({ method: 'GET', path: '/', query: { a: '{nested}' } }, { input })).toThrow(
    /"a".*query/,
  );
});

const json = fc.jsonValue({ maxDepth: 3 });
const name = fc.stringMatching(/^[a-z]\w{0,5}$/);

test('any value arrives as it was given, wherever it is bound', () => {
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

test('a binding without names is a literal', () => {
  const literal = fc.jsonValue({ maxDepth: 3 }).filter((value) => !/\{\w+\}/.test(JSON.stringify(value)));
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

test('arguments of an MCP tool are bound like a body', () => {
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

test('sends no null where only texts travel', () => {
  const values = { a: '{nothing}', b: '{count}' };
  const request = { method: 'GET' as const, path: '/', query: values, headers: values };
  expect(bindRequest(request, { input })).toMatchObject({ query: { b: 5 }, headers: { b: '5' } });
  expect(JSON.stringify(bindRequest(request, { input }))).not.toContain('"a"');
});

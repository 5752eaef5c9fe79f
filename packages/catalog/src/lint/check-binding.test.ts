import { expect, test } from 'vitest';
import { loadPets, pets, toolFile, version } from '../../test/fixture.js';
import type { JsonObject } from '../json-schema.js';

const text = { type: 'string' };
const filter = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: text, note: text, labels: { type: 'object', additionalProperties: true } },
};
const page = {
  output: {
    type: 'object',
    additionalProperties: true,
    properties: {
      pets: { type: 'array', items: text },
      cats: {
        type: 'array',
        items: { type: 'object', additionalProperties: true, properties: { id: { type: 'integer' } } },
      },
      next: text,
      total: { type: 'integer' },
    },
  },
};

/** Loads a tool with one input, `filter`, that its request always uses. */
const load = (request: JsonObject, rest: JsonObject = {}, properties: JsonObject = { filter }) =>
  loadPets({
    'tools/pets_list.json': toolFile(
      'pets_list',
      [version({ properties, required: Object.keys(properties).slice(0, 1) }, { request, ...rest })],
      { examples: [{ title: 'One', input: { filter: { id: 'a', labels: {} } } }] },
    ),
  });
const post = (body: unknown) => ({ method: 'POST', path: '/pets', body });

test.each([
  [{ $frist: ['{filter}'] }, 'body.a.$frist: "$frist" is not an operator; write "$$frist"'],
  [{ $frist: ['{filter}'] }, '$comma, $decoded, $file; did you mean "$first"?'],
  [{ b: { $set: '{filter}' } }, 'body.a.b.$set: "$set" is not an operator; write "$$set"'],
  ['{$now}', 'body.a: "{$now}" is neither a reference nor an operator; write a reference as "{name}"'],
  [['{$comm: x}'], 'did you mean "$comma"?'],
  [{ $first: '{filter}' }, 'body.a.$first: "$first" must be a list'],
  [{ $table: '{filter/id}', values: ['x'] }, 'body.a.values: "values" must be an object'],
  ['{filter/idd}', 'body.a: {filter/idd} is not an input or a part of one'],
  ['{constructor}', 'body.a: {constructor} is not an input'],
])('refuses %j in a body', (a, problem) => {
  expect(() => load(post({ a, b: '{filter}' }))).toThrow(problem);
});

test.each(['query', 'headers'])('refuses an operator in place of a name in %s', (part) => {
  const request = { ...post('{filter}'), [part]: { $first: ['{filter/id}'] } };
  const problem = `versions[0].request.${part}.$first: "$first" is not the name of a parameter`;
  expect(() => load(request)).toThrow(problem);
});

test('accepts names that begin with "$" in a query, after "$$" in a body, and in the values of a table', () => {
  const query = { $filter: '{filter/id}', price: { $table: '{filter/note}', values: { $: '{$}' } } };
  expect(() => load({ ...post({ $$set: '{filter}' }), query })).not.toThrow();
});

test.each([
  [{ data: { $id: 1 } }, 'response.data.$id: "$id" is not an operator'],
  [{ errors: [{ status: 404, data: '{$none}' }] }, 'response.errors[0].data: "{$none}" is neither'],
])('refuses the response %j', (response, problem) => {
  expect(() => load(post('{filter}'), { response })).toThrow(`versions[0].${problem}`);
});

test.each([
  ['/pets/{filter}', 'path: {filter} is part of a path; give it the type'],
  ['/pets/{filter/note}', 'path: {filter/note} may be absent; make the input required'],
  ['/pets/{filter.id}', 'path: {filter.id} is not a reference'],
  ['/pets/{filter', 'path: a brace is not closed'],
])('refuses the path %s', (path, problem) => {
  expect(() => load({ ...post('{filter}'), path })).toThrow(`versions[0].request.${problem}`);
});

test.each(['query', 'headers'])('refuses an object in %s and accepts a part of it', (part) => {
  const { body } = post('{filter}');
  const request = (value: unknown) => ({ ...post(body), [part]: { 'x-filter': value } });
  expect(() => load(request('{filter}'))).toThrow(
    `request.${part}.x-filter: {filter} is an object or a list`,
  );
  expect(() => load(request('{filter/id}'))).not.toThrow();
  expect(() => load(request({ $with: '{filter}', value: 1 }))).not.toThrow();
});

test('refuses an object in a form and accepts a part of it', () => {
  const form = (filter: string) => ({ ...post({ filter }), encoding: 'form' });
  expect(() => load(form('{filter}'))).toThrow('request.body.filter: {filter} is an object or a list');
  expect(() => load(form('{filter/id}'))).not.toThrow();
});

test('accepts objects and lists in a form with brackets, and refuses brackets in another encoding', () => {
  const request = { ...post({ filter: '{filter}', more: { labels: ['{filter/id}'] } }), nested: 'brackets' };
  expect(() => load({ ...request, encoding: 'form' })).not.toThrow();
  for (const encoding of ['json', 'multipart'])
    expect(() => load({ ...request, encoding })).toThrow(
      'request.nested: "nested" needs the encoding "form"',
    );
});

test.each([
  [
    { method: 'GET', idempotencyHeader: 'Idempotency-Key' },
    'GET changes nothing and needs no idempotency key',
  ],
  [{ headers: { 'x-key': '{filter/id}' }, idempotencyHeader: 'X-Key' }, '"headers" contains "X-Key" too'],
  [{ idempotencyHeader: 'X-API-Key' }, 'this header contains the credential; name another header'],
])('refuses the idempotency header of %j', (part, problem) => {
  expect(() => load({ ...post('{filter}'), ...part })).toThrow(`request.idempotencyHeader: ${problem}`);
});

test('accepts an idempotency header, which an example does not repeat', () => {
  expect(() => load({ ...post('{filter}'), idempotencyHeader: 'Idempotency-Key' })).not.toThrow();
});

test('refuses paging of an MCP tool that the service would have to calculate', () => {
  const paging = { output: 'next', items: 'pets', page: { next: 'n' } };
  const mcp = { tool: 'list', arguments: { filter: '{filter}' } };
  const load = () =>
    loadPets({
      'connector.json': { ...pets, mcp: { path: '/mcp' } },
      'tools/pets_list.json': toolFile('pets_list', [
        version({ properties: { filter: text } }, { request: undefined, mcp, ...page, paging }),
      ]),
    });
  expect(load).toThrow('versions[0].paging: an MCP tool returns the next page in its data');
});

test('accepts a part of an input in a path, and parts of a free-form object', () => {
  expect(() => load({ ...post('{filter/labels/any/thing}'), path: '/pets/{filter/id}' })).not.toThrow();
});

test('refuses an input whose name no placeholder can contain', () => {
  expect(() => load(post('{filter}'), {}, { filter, 'page-size': text })).toThrow(
    'input.properties.page-size: a request cannot refer to this name',
  );
});

test.each(['{idd}', '{$now}'])('refuses a message with the placeholder %s', (placeholder) => {
  const needs = [{ at: 'id', message: `There is no ${placeholder}.` }];
  expect(() => load({ ...post('{filter}'), needs })).toThrow(
    `needs[0].message: ${placeholder} is not an input`,
  );
});

test.each([
  [{ output: 'next', items: 'total' }, 'items: "total" is not an array'],
  [
    { input: 'size', output: 'next', items: 'pets' },
    'output: "next" has the type string, which the input "size"',
  ],
  [{ input: 'name', output: 'next', items: 'pets', page: { next: 'n' } }, 'input: "name" is not a number'],
  [
    { input: 'size', output: 'total', items: 'pets', page: { size: 'name' } },
    'page.size: "name" is not a number',
  ],
  [
    { input: 'name', output: 'next', items: 'pets', more: 'rest' },
    'more: "rest" is not a field of the output',
  ],
  [{ input: 'name', output: 'next', items: 'pets', more: 'total' }, 'more: "total" is not a boolean'],
  [
    { input: 'name', output: 'next', items: 'cats', last: 'key' },
    'last: "key" is not a field of the items in "cats"',
  ],
  [
    { input: 'name', output: 'next', items: 'cats', last: 'id' },
    'last: "id" has the type integer, which the input "name"',
  ],
])('refuses paging %j', (paging, problem) => {
  const properties = { filter, size: { type: 'integer' }, name: text };
  const request = post({ filter: '{filter}', size: '{size}', name: '{name}' });
  expect(() => load(request, { ...page, paging }, properties)).toThrow(`versions[0].paging.${problem}`);
});

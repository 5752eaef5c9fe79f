import { expect, test } from 'vitest';
import { loadPets, toolFile, version } from '../../test/fixture.js';
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
    properties: { pets: { type: 'array', items: text }, next: text, total: { type: 'integer' } },
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
  [{ $frist: ['{filter}'] }, 'body.a.$frist: there is no such operator; did you mean "$first"?'],
  [{ $first: '{filter}' }, 'body.a.$first: it is a list'],
  [{ $table: '{filter/id}', values: ['x'] }, 'body.a.values: it is an object'],
  ['{filter/idd}', 'body.a: {filter/idd} is not an input, nor a part of one'],
  ['{constructor}', 'body.a: {constructor} is not an input'],
])('refuses %j in a body', (a, problem) => {
  expect(() => load(post({ a, b: '{filter}' }))).toThrow(`versions[0].request.${problem}`);
});

test.each([
  ['/pets/{filter}', 'path: {filter} must be a text or a number'],
  ['/pets/{filter/note}', 'path: {filter/note} must be a required input'],
  ['/pets/{filter.id}', 'path: {filter.id} names nothing'],
  ['/pets/{filter', 'path: a brace has no other half'],
])('refuses the path %s', (path, problem) => {
  expect(() => load({ ...post('{filter}'), path })).toThrow(`versions[0].request.${problem}`);
});

test.each(['query', 'headers'])('refuses an object in %s and accepts a part of it', (part) => {
  const { body } = post('{filter}');
  const request = (value: unknown) => ({ ...post(body), [part]: { 'x-filter': value } });
  expect(() => load(request('{filter}'))).toThrow(`request.${part}.x-filter: {filter} has parts of its own`);
  expect(() => load(request('{filter/id}'))).not.toThrow();
  expect(() => load(request({ $with: '{filter}', value: 1 }))).not.toThrow();
});

test('refuses an object in a form and accepts a part of it', () => {
  const form = (filter: string) => ({ ...post({ filter }), encoding: 'form' });
  expect(() => load(form('{filter}'))).toThrow('request.body.filter: {filter} has parts of its own');
  expect(() => load(form('{filter/id}'))).not.toThrow();
});

test('accepts a part of an input in a path, and parts of a free-form object', () => {
  expect(() => load({ ...post('{filter/labels/any/thing}'), path: '/pets/{filter/id}' })).not.toThrow();
});

test('refuses an input whose name no placeholder can contain', () => {
  expect(() => load(post('{filter}'), {}, { filter, 'page-size': text })).toThrow(
    'input.properties.page-size: no request can name it',
  );
});

test('refuses a message with a placeholder that is not an input', () => {
  const needs = [{ at: 'id', message: 'There is no {idd}.' }];
  expect(() => load({ ...post('{filter}'), needs })).toThrow('needs[0].message: {idd} is not an input');
});

test.each([
  [{ output: 'next', items: 'total' }, 'items: "total" is no array'],
  [{ input: 'size', output: 'next', items: 'pets' }, 'output: "next" is of type string, which "size"'],
  [{ input: 'name', output: 'next', items: 'pets', page: { next: 'n' } }, 'input: "name" is no number'],
  [
    { input: 'size', output: 'total', items: 'pets', page: { size: 'name' } },
    'page.size: "name" is no number',
  ],
])('refuses paging %j', (paging, problem) => {
  const properties = { filter, size: { type: 'integer' }, name: text };
  const request = post({ filter: '{filter}', size: '{size}', name: '{name}' });
  expect(() => load(request, { ...page, paging }, properties)).toThrow(`versions[0].paging.${problem}`);
});

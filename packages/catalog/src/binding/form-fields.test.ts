import { expect, test } from 'vitest';
import type { JsonObject } from '../json-schema.js';
import { bindRequest } from './bind-request.js';

const send = (input: JsonObject) =>
  bindRequest(
    {
      method: 'POST',
      path: '/',
      encoding: 'form',
      nested: 'brackets',
      body: { amount: '{amount}', metadata: '{metadata}', items: '{items}', charge: { on: '{on}' } },
    },
    { input },
  ).body;

const refused = (field: string, rule: string) =>
  expect.objectContaining({ name: 'InvalidInputError', errors: [expect.objectContaining({ field, rule })] });

/** Returns an object with `levels` levels of nesting. */
const nest = (levels: number): unknown => (levels === 0 ? 'x' : { a: nest(levels - 1) });

test('a form writes objects and lists with brackets', () => {
  const items = [{ price: 'p1', taxes: ['a', 'b'] }, { price: 'p2' }];
  expect(send({ amount: 5, metadata: { color: 'red', 'ü &=': null }, items, on: true })).toEqual({
    amount: 5,
    'metadata[color]': 'red',
    'metadata[ü &=]': null,
    'items[0][price]': 'p1',
    'items[0][taxes][0]': 'a',
    'items[0][taxes][1]': 'b',
    'items[1][price]': 'p2',
    'charge[on]': true,
  });
});

test('a form writes no field for absent, empty and inherited values', () => {
  expect(send({ metadata: {}, items: [] })).toEqual({});
});

test.each(['', 'a]', 'a][b', '[', 'x[]'])(
  'a form refuses the key %j, which would become another field',
  (key) => {
    expect(() => send({ metadata: { [key]: 1 } })).toThrow(refused('metadata', 'propertyNames'));
  },
);

test('a form has at most eight levels', () => {
  expect(Object.keys(send({ metadata: nest(8) as JsonObject }) ?? {})).toEqual([
    `metadata${'[a]'.repeat(8)}`,
  ]);
  expect(() => send({ metadata: nest(9) as JsonObject })).toThrow(refused('metadata', 'depth'));
  expect(() => send({ metadata: nest(5000) as JsonObject })).toThrow(refused('metadata', 'depth'));
});

test('a form has at most 1000 fields', () => {
  const many = (count: number) => ({ items: Array.from({ length: count }, () => 1) });
  expect(Object.keys(send(many(1000)) ?? {})).toHaveLength(1000);
  expect(() => send(many(1001))).toThrow(refused('items', 'maxProperties'));
});

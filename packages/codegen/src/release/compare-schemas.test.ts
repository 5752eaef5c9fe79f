import { expect, test } from 'vitest';
import { schemaMutations } from '../../test/schema-mutations.js';
import { highestLevel } from './change.js';
import { compareSchemas } from './compare-schemas.js';

const cases = schemaMutations.flatMap(([title, before, after, input, output]) => [
  { title, direction: 'input' as const, before, after, verdict: input },
  { title, direction: 'output' as const, before, after, verdict: output },
]);

test.each(cases)('$title, as $direction: $verdict', ({ direction, before, after, verdict }) => {
  const changes = compareSchemas(before, after, direction);

  expect(highestLevel(changes) ?? 'none', JSON.stringify(changes, null, 2)).toBe(verdict);
});

test('reports the path and the reason of a change', () => {
  const items = (maxLength: number) => ({ type: 'array', items: { type: 'string', maxLength } });
  const schema = (maxLength: number) => ({ type: 'object', properties: { names: items(maxLength) } });

  expect(compareSchemas(schema(20), schema(10), 'input')).toEqual([
    {
      level: 'breaking',
      where: 'input.names[]',
      reason: 'the maximum number of characters changed from 20 to 10',
    },
  ]);
});

test('reports a call that a rule across fields now refuses', () => {
  const properties = { id: { type: 'string' }, name: { type: 'string' } };
  const object = { type: 'object', additionalProperties: false, properties };

  expect(compareSchemas(object, { ...object, exactlyOneOf: ['id', 'name'] }, 'input')).toEqual([
    {
      level: 'breaking',
      where: 'input',
      reason: 'an object without any of these fields is now refused',
    },
  ]);
});

test('compares each of many mutually referring shapes once', () => {
  const names = Array.from({ length: 30 }, (_, index) => `S${index}`);
  const schema = (last: string) => ({
    $ref: '#/$defs/S0',
    $defs: Object.fromEntries(
      names.map((name) => [
        name,
        {
          type: 'object',
          properties: {
            ...Object.fromEntries(names.map((other) => [other, { $ref: `#/$defs/${other}` }])),
            value: { type: name === 'S29' ? last : 'string' },
          },
        },
      ]),
    ),
  });
  const changes = compareSchemas(schema('string'), schema('integer'), 'output');

  expect(changes.map(({ level }) => level)).toEqual(['additive', 'breaking']);
});

test('inverts the level of a change in a recursive shape under not', () => {
  const schema = (type: string) => ({
    $ref: '#/$defs/S',
    $defs: { S: { type: 'object', properties: { other: { not: { $ref: '#/$defs/S' } }, value: { type } } } },
  });
  const narrower = compareSchemas(schema('number'), schema('integer'), 'input');

  expect(narrower.map(({ level, where }) => [level, where])).toEqual([
    ['additive', 'input.other.not.value'],
    ['breaking', 'input.value'],
  ]);
});

import { describe, expect, test } from 'vitest';
import { type InputCase, props, rulesBroken, text } from '../../test/input.js';

const table: readonly InputCase[] = [
  {
    title: 'only the problems of the union branch that the tag selects',
    input: props({ icon: { $ref: 'types.json#/$defs/Icon' } }),
    given: { icon: { type: 'external', url: 'x', emoji: 'y' } },
    broken: [
      [
        'icon.emoji',
        'additionalProperties',
        '"icon.emoji" is not a known field; known fields: type and url',
        'string',
      ],
      ['icon.url', 'format', '"icon.url" must be a full URL such as https://example.com/page', 'string'],
    ],
  },
  {
    title: 'the known tags when no union branch matches the tag',
    input: props({ icon: { $ref: 'types.json#/$defs/Icon' } }),
    given: { icon: { type: 'file' } },
    broken: [['icon.type', 'enum', '"icon.type" must be one of emoji and external', 'string']],
  },
  {
    title: 'the known types when no union branch matches the type',
    input: props({
      icon: { $ref: 'types.json#/$defs/Icon' },
      id: { oneOf: [{ type: 'string' }, { type: 'array' }] },
    }),
    given: { icon: 'x', id: 1 },
    broken: [
      ['icon', 'type', '"icon" must be an object, but a string was given', 'string'],
      ['id', 'type', '"id" must be a string or an array, but a number was given', 'number'],
    ],
  },
  {
    title: 'a condition without its wrapper',
    input: props(
      { order: text, single: { type: 'boolean' } },
      {
        if: { properties: { order: { const: 'start' } }, required: ['order'] },
        // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
        then: { properties: { single: { const: true } } },
      },
    ),
    given: { order: 'start', single: false },
    broken: [['single', 'const', '"single" must be true', 'boolean']],
  },
];

describe('unions and conditions', () => {
  test.each(table)('report $title', ({ input, given, broken }) => {
    expect(rulesBroken(input, given)).toEqual(broken);
  });

  test('accept an input that matches the second branch', () => {
    const input = props({ icon: { $ref: 'types.json#/$defs/Icon' } });
    expect(rulesBroken(input, { icon: { type: 'external', url: 'https://a.example' } })).toEqual([]);
  });

  test.each([
    { title: 'at most 20 broken rules', items: 1000, count: 20 },
    { title: 'only the first broken rule of a huge input', items: 200_000, count: 1 },
  ])('report $title in less than 2 s', { retry: 2 }, ({ items, count }) => {
    const input = props({ icons: { type: 'array', items: { $ref: 'types.json#/$defs/Icon' } } });
    const start = performance.now();
    expect(rulesBroken(input, { icons: Array(items).fill(1) })).toHaveLength(count);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

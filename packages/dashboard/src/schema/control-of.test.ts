import { describe, expect, test } from 'vitest';
import { controlOf, jsonHintOf, limitsOf } from './control-of.ts';

describe('the control for a schema', () => {
  test.each([
    { schema: { type: 'string' }, control: 'multiline' },
    { schema: { type: 'string', format: 'date-time' }, control: 'text' },
    { schema: { type: 'string', maxLength: 40 }, control: 'text' },
    { schema: { type: 'string', writeOnly: true }, control: 'secret' },
    { schema: { type: 'string', enum: ['a', 'b'] }, control: 'choice' },
    { schema: { const: 'page' }, control: 'choice' },
    { schema: { type: 'integer' }, control: 'number' },
    { schema: { type: 'boolean' }, control: 'flag' },
    { schema: { type: 'array', items: { type: 'string' } }, control: 'list' },
    { schema: { type: 'object', properties: { a: { type: 'string' } } }, control: 'fields' },
    { schema: { type: 'object', additionalProperties: true }, control: 'json' },
    { schema: { anyOf: [{ type: 'string' }, { type: 'null' }] }, control: 'json' },
    { schema: { type: ['string', 'null'] }, control: 'json' },
    { schema: {}, control: 'json' },
  ])('is $control for $schema', ({ schema, control }) => {
    expect(controlOf(schema)).toBe(control);
  });
});

describe('the hint for a schema', () => {
  test.each([
    { schema: { type: 'string', minLength: 1 }, sentence: '' },
    {
      schema: { type: 'integer', minimum: 1, maximum: 50, default: 25 },
      sentence: 'A whole number, 1 to 50. Default: 25.',
    },
    {
      schema: { type: 'number', minimum: 0, multipleOf: 5 },
      sentence: 'A number, at least 0, a multiple of 5.',
    },
    { schema: { type: 'string', maxLength: 64 }, sentence: 'At most 64 characters.' },
    { schema: { type: 'string', pattern: '^a$' }, sentence: 'Matching ^a$.' },
    { schema: { type: 'string', pattern: '^a$', description: 'The letter a.' }, sentence: '' },
    {
      schema: { type: 'array', maxItems: 3, uniqueItems: true },
      sentence: 'At most 3 items, no duplicates.',
    },
    { schema: { type: 'boolean', default: false }, sentence: 'Default: false.' },
  ])('is "$sentence" for $schema', ({ schema, sentence }) => {
    expect(limitsOf(schema)).toBe(sentence);
  });

  test('the hint for a format contains an example', () => {
    expect(limitsOf({ type: 'string', format: 'date' })).toBe('A date such as 2026-12-01.');
  });
});

test('the hint for a JSON control lists the accepted types', () => {
  expect(jsonHintOf({ anyOf: [{ type: 'string' }, { type: 'array' }] })).toBe('Enter JSON: string or array.');
  expect(jsonHintOf({})).toBe('Enter JSON.');
});

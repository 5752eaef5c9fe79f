import type { JsonSchema } from '@svc/catalog';
import { expect, test } from 'vitest';
import { printType } from './print-type.js';

const object = (properties: Readonly<Record<string, JsonSchema>>, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...rest,
});
const text: JsonSchema = { type: 'string' };

test.each<{ title: string; schema: JsonSchema; lines: readonly string[] }>([
  {
    title: 'gives branches distinct names when their fields read the same',
    schema: object({ a_b: text, aB: text }, { exactlyOneOf: ['a_b', 'aB'] }),
    lines: ['export type Sample = SampleByAB | SampleByAB1;'],
  },
  {
    title: 'escapes a comment end in a description',
    schema: object({ a: { ...text, description: 'One */ two' } }),
    lines: ['  /** One * / two. */', '  a?: string | undefined;'],
  },
  {
    title: 'prints types that are equal in TypeScript once',
    schema: object({ a: { type: ['integer', 'number'] }, b: { type: ['integer', 'null', 'number'] } }),
    lines: ['  a?: number | undefined;', '  b?: number | null | undefined;'],
  },
  {
    title: 'puts parentheses around nullable items and keeps null in map values',
    schema: object({
      a: { type: 'array', items: { type: ['string', 'null'] } },
      b: { type: 'array' },
      c: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    }),
    lines: [
      '  a?: (string | null)[] | undefined;',
      '  b?: unknown[] | undefined;',
      '    [key: string]: string | null;',
    ],
  },
])('$title', ({ schema, lines }) => {
  const printed = printType(schema, 'Sample', { direction: 'input', shapeName: (shape) => shape });
  expect(printed.split('\n')).toEqual(expect.arrayContaining([...lines]));
});

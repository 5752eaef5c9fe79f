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
    title: 'branches whose names read the same have names of their own',
    schema: object({ a_b: text, aB: text }, { exactlyOneOf: ['a_b', 'aB'] }),
    lines: ['export type Sample = SampleByAB | SampleByAB1;'],
  },
  {
    title: 'a description ends no comment',
    schema: object({ a: { ...text, description: 'One */ two' } }),
    lines: ['  /** One * / two. */', '  a?: string | undefined;'],
  },
  {
    title: 'types that are one in TypeScript are named once',
    schema: object({ a: { type: ['integer', 'number'] }, b: { type: ['integer', 'null', 'number'] } }),
    lines: ['  a?: number | undefined;', '  b?: number | null | undefined;'],
  },
  {
    title: 'lists and maps of a type that may be null keep it together',
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

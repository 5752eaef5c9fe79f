import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { BrokenRule } from '../errors.js';
import { createIsFormat, FORMATS } from '../formats.js';
import type { JsonSchema } from '../json-schema.js';
import { ruledInput } from '../ruled-input.js';
import { interpret } from './interpret.js';

const isFormat = createIsFormat({ ...fullFormats, ...FORMATS });

/** Gives every rule that an input breaks, and leaves the input as it is. */
export type CheckInput = (input: unknown) => readonly BrokenRule[];

/**
 * Checks inputs by their self-contained schema as the service will, in the same words, and compiles nothing: in pages while
 * somebody types, and in clients before they call. The service has the last word.
 */
export function createCheckInput(schema: JsonSchema, now: () => Date): CheckInput {
  const check = ruledInput(schema, (plain) => interpret(plain, { subject: 'the input', now, isFormat }));
  return (input) => check(sentOf(input));
}

/** A copy of a value as it is sent: a member that is undefined is not, and an item is sent as null. */
function sentOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return Array.from(value, (item: unknown) => (item === undefined ? null : sentOf(item)));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, sentOf(member)]));
}

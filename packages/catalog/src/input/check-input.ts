import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { BrokenRule } from '../errors.js';
import { createIsFormat, FORMATS } from '../formats.js';
import type { JsonSchema } from '../json-schema.js';
import { interpret } from './interpret.js';
import { ruledInput } from './ruled-input.js';

const isFormat = createIsFormat({ ...fullFormats, ...FORMATS });

/** Returns the rules that a tool input breaks, and does not change the input. */
export type CheckInput = (input: unknown) => readonly BrokenRule[];

/**
 * Creates a check of tool inputs that reports the service's errors without compiling the schema. Pages run the check
 * while a person types, and generated clients before a call. The service validates each input again.
 */
export function createCheckInput(schema: JsonSchema, now: () => Date): CheckInput {
  const check = ruledInput(schema, (plain) => interpret(plain, { subject: 'the input', now, isFormat }));
  return (input) => check(sentOf(input));
}

/** Copies a value as JSON would send it: undefined properties are left out, and undefined items become null. */
function sentOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return Array.from(value, (item: unknown) => (item === undefined ? null : sentOf(item)));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, sentOf(member)]));
}

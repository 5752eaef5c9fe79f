import { FORMAT_EXAMPLES } from '../formats.js';

const TELL: Readonly<Record<string, (value: unknown) => string>> = {
  format: (value) => `It must be ${FORMAT_EXAMPLES[String(value)] ?? value}.`,
  default: (value) => `${JSON.stringify(value)} when it is left out.`,
  minLength: (value) => (value === 1 ? 'Not empty.' : `At least ${value} characters.`),
  maxLength: (value) => `At most ${value} characters.`,
  pattern: (value) => `It must match ${value}.`,
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `More than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => `A multiple of ${value}.`,
  minItems: (value) => `At least ${value} items.`,
  maxItems: (value) => `At most ${value} items.`,
  uniqueItems: () => 'No item twice.',
  minProperties: (value) =>
    value === 1 ? 'At least one field is given.' : `At least ${value} fields are given.`,
  maxProperties: (value) =>
    value === 1 ? 'At most one field is given.' : `At most ${value} fields are given.`,
};

/** A sentence that says what a keyword does; undefined for one that the descriptions of its fields explain. */
export const tell = (keyword: string, value: unknown): string | undefined => TELL[keyword]?.(value);

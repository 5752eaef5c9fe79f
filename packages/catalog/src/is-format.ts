import { isJsonObject } from './json-schema.js';

/** Whether a text has a string format; one that nobody knows fits every text. */
export type IsFormat = (format: string, text: string) => boolean;

/** Judges by these formats, which are the standard's as ajv-formats has them, and the catalogue's own. */
export const createIsFormat =
  (formats: Readonly<Record<string, unknown>>): IsFormat =>
  (format, text) => {
    const known = Object.hasOwn(formats, format) ? formats[format] : undefined;
    const test = isJsonObject(known) && 'validate' in known ? known['validate'] : known;
    if (test instanceof RegExp) return test.test(text);
    return typeof test !== 'function' || Boolean(test(text));
  };

import { fullFormats } from 'ajv-formats/dist/formats.js';
import { FORMATS } from './formats.js';
import { isJsonObject } from './json-schema.js';

const KNOWN: Readonly<Record<string, unknown>> = { ...fullFormats, ...FORMATS };

/** Whether a text has a string format, the standard's or the catalogue's; one that nobody knows fits every text. */
export function isFormat(format: string, text: string): boolean {
  const known = Object.hasOwn(KNOWN, format) ? KNOWN[format] : undefined;
  const test = isJsonObject(known) && 'validate' in known ? known['validate'] : known;
  if (test instanceof RegExp) return test.test(text);
  return typeof test !== 'function' || Boolean(test(text));
}

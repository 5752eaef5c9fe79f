import { createRequire } from 'node:module';
import { FORMATS } from './formats.js';
import { lazy } from './lazy.js';

const require = createRequire(import.meta.url);

/** The formats of the standard and the catalogue's own, loaded when they are first used. */
export const allFormats = lazy((): Readonly<Record<string, unknown>> => {
  const {
    fullFormats,
  }: typeof import('ajv-formats/dist/formats.js') = require('ajv-formats/dist/formats.js');
  return { ...fullFormats, ...FORMATS };
});

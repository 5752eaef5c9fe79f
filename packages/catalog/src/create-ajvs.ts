import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { FORMATS } from './formats.js';
import { lazy } from './lazy.js';
import type { ObjectRules } from './object-rules.js';

/** Two of a kind: one stops at the first error, one collects all of them. */
export interface Ajvs {
  readonly first: Ajv2020;
  readonly all: Ajv2020;
}

/** Made in less than half the time, and hardly slower. What the build makes is optimized. */
const WHEN_NEEDED: Options = { code: { optimize: false }, inlineRefs: false };

const require = createRequire(import.meta.url);

/** Ajvs of draft 2020-12 that know the catalogue's keywords and formats, each loaded and made when it is first used. */
export function createAjvs(rules: ObjectRules): Ajvs {
  const first = lazy(() => createAjv(rules, { ...WHEN_NEEDED, allErrors: false }));
  const all = lazy(() => createAjv(rules, { ...WHEN_NEEDED, allErrors: true }));
  return {
    get first() {
      return first();
    },
    get all() {
      return all();
    },
  };
}

/** Defaults are written into what it validates. */
export function createAjv(rules: ObjectRules, options: Options): Ajv2020 {
  const ajv2020: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  const formats: typeof import('ajv-formats') = require('ajv-formats');
  const ajv = new ajv2020.Ajv2020({
    useDefaults: true,
    verbose: true,
    strictTypes: false,
    allowUnionTypes: true,
    ...options,
  });
  formats.default(ajv);
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  for (const [keyword, validate] of Object.entries(rules))
    ajv.addKeyword({ keyword, type: 'object', errors: 'full', validate });
  return ajv;
}

export type { ErrorObject, ValidateFunction };

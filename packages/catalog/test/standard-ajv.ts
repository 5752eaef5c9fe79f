import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** A validator that knows the keywords and formats of the standard, and refuses all others. */
export function createStandardAjv(): Ajv2020 {
  const formats: typeof import('ajv-formats') = createRequire(import.meta.url)('ajv-formats');
  const ajv = new Ajv2020({
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    code: { optimize: false },
  });
  formats.default(ajv);
  return ajv;
}

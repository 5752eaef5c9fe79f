import { Ajv, type AnySchema, type Options } from 'ajv';
import { type CheckRequest, createCheckRequest } from './check-request.js';

// Skips the validation of our own schemas, because compiling the meta-schema takes 50 ms.
// test/applications/openapi.ci.test.ts checks them instead.
const TRUSTED = { meta: false, validateSchema: false } as const;

/**
 * Creates the ajv instances for one part of a request. A query or a path contains only strings, so ajv converts them to
 * the types of the schema.
 */
export function createRequestAjvs(part: string | undefined, options: Options = {}) {
  const createAjv = (allErrors: boolean) => {
    const coerceTypes = part !== 'body';
    const ajv = new Ajv({
      ...options,
      ...TRUSTED,
      allErrors,
      coerceTypes,
      useDefaults: true,
      removeAdditional: false,
    });
    ajv.addVocabulary(['example', 'xml']);
    return ajv;
  };
  return { first: createAjv(false), all: createAjv(true) };
}

/** Creates the compiler for request schemas. */
export function createRequestValidators(): (schema: AnySchema, part: string | undefined) => CheckRequest {
  const ofBody = createRequestAjvs('body');
  const ofStrings = createRequestAjvs('querystring');
  return (schema, part) => {
    const { first, all } = part === 'body' ? ofBody : ofStrings;
    const compiled = { isValid: () => first.compile(schema), listProblems: () => all.compile(schema) };
    return createCheckRequest(compiled, { schema, part });
  };
}

import { Ajv, type AnySchema, type Options } from 'ajv';
import { type CheckRequest, createCheckRequest } from './check-request.js';

// test/openapi.test.ts shows that our schemas are valid. Compiling the meta-schema to check them here takes 50 ms.
const TRUSTED = { meta: false, validateSchema: false } as const;

/** Creates the validators of one part of a request. A query or a path has only strings, from which numbers are read. */
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

/** Compiles the schemas of requests. */
export function createRequestValidators(): (schema: AnySchema, part: string | undefined) => CheckRequest {
  const ofBody = createRequestAjvs('body');
  const ofStrings = createRequestAjvs('querystring');
  return (schema, part) => {
    const { first, all } = part === 'body' ? ofBody : ofStrings;
    return createCheckRequest({
      isValid: () => first.compile(schema),
      listProblems: () => all.compile(schema),
    });
  };
}

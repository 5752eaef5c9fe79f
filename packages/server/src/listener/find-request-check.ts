import { createHash } from 'node:crypto';
import type { AnySchema } from 'ajv';
import { type CheckRequest, createCheckRequest } from './check-request.js';
import { compiledRequests } from './compiled-requests.js';

/**
 * Returns the key under which the build stores the compiled validator of a schema: a digest of the schema and the part
 * of the request.
 */
export const digestOf = (schema: AnySchema, part: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([part === 'body', schema]))
    .digest('base64url');

export interface RequestChecks {
  readonly find: (schema: AnySchema, part: string | undefined) => CheckRequest;
  /**
   * Loads the compiler of ajv, if the build did not compile the validator of a route. Await it after all routes are
   * registered and before the first request.
   */
  readonly load: () => Promise<void>;
}

/**
 * Creates the lookup of the request validators that the build compiled. If one is missing, `load` loads the compiler of
 * ajv.
 */
export function createRequestChecks(compiled = compiledRequests): RequestChecks {
  let isMissed = false;
  let compile: ((schema: AnySchema, part: string | undefined) => CheckRequest) | undefined;

  function compileLater(schema: AnySchema, part: string | undefined): CheckRequest {
    isMissed = true;
    let check: CheckRequest | undefined;
    return (value) => {
      check ??= compile?.(schema, part);
      if (check === undefined)
        throw new Error(
          'The service is still starting and cannot check this request yet. Retry in a few seconds.',
        );
      return check(value);
    };
  }

  return {
    find: (schema, part) => {
      const compiledCheck = compiled[digestOf(schema, part)];
      return compiledCheck ? createCheckRequest(compiledCheck, { schema, part }) : compileLater(schema, part);
    },
    load: async () => {
      if (isMissed) compile = (await import('./request-validator.js')).createRequestValidators();
    },
  };
}

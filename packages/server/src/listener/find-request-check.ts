import { createHash } from 'node:crypto';
import type { AnySchema } from 'ajv';
import { type CheckRequest, createCheckRequest } from './check-request.js';
import { compiledRequests } from './compiled-requests.js';

/** Key of a schema among the compiled ones. */
export const digestOf = (schema: AnySchema, part: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([part === 'body', schema]))
    .digest('base64url');

export interface RequestChecks {
  readonly find: (schema: AnySchema, part: string | undefined) => CheckRequest;
  /** Await this when all routes are registered, and before the first request. */
  readonly load: () => Promise<void>;
}

/** Finds the validators that the build compiled. Loads the compiler only if one is missing. */
export function createRequestChecks(compiled = compiledRequests): RequestChecks {
  let isMissed = false;
  let compile: ((schema: AnySchema, part: string | undefined) => CheckRequest) | undefined;

  function compileLater(schema: AnySchema, part: string | undefined): CheckRequest {
    isMissed = true;
    let check: CheckRequest | undefined;
    return (value) => {
      check ??= compile?.(schema, part);
      if (check === undefined) throw new Error('A request came before what it is checked by.');
      return check(value);
    };
  }

  return {
    find: (schema, part) => {
      const found = compiled[digestOf(schema, part)];
      return found ? createCheckRequest(found) : compileLater(schema, part);
    },
    load: async () => {
      if (isMissed) compile = (await import('./request-validator.js')).createRequestValidators();
    },
  };
}

import { createHash } from 'node:crypto';
import type { AnySchema } from 'ajv';
import { type CheckRequest, createCheckRequest } from './check-request.js';
import { compiledRequests } from './compiled-requests.js';

/** The name of a schema among the compiled ones: another schema has another. */
export const digestOf = (schema: AnySchema, part: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([part === 'body', schema]))
    .digest('base64url');

type Check = (value: unknown) => ReturnType<CheckRequest> | Promise<ReturnType<CheckRequest>>;

/** Finds what the build compiled; a schema that it did not know is compiled with the first request. */
export function createFindRequestCheck(): (schema: AnySchema, part: string | undefined) => Check {
  const load = async () => (await import('./request-validator.js')).createRequestValidators();
  let loading: ReturnType<typeof load> | undefined;
  const compile = async (schema: AnySchema, part: string | undefined) => {
    loading ??= load();
    return (await loading)(schema, part);
  };
  return (schema, part) => {
    const compiled = compiledRequests[digestOf(schema, part)];
    if (compiled) return createCheckRequest(compiled);
    let check: Promise<CheckRequest> | undefined;
    return async (value) => {
      check ??= compile(schema, part);
      return (await check)(value);
    };
  };
}

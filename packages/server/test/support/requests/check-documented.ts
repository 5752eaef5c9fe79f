import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { NearValidRequest } from './near-valid-request.js';
import type { Operation } from './operations.js';

/** Returns whether a path has dot segments, which lead to another operation. */
const reachesOther = (url: string): boolean =>
  new URL(url, 'http://service.example').pathname !== url.split('?', 1)[0];

/** Creates the check that the OpenAPI document describes the status and the body of a response. */
export function createDocumentedCheck(operations: readonly Operation[]) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const byName = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(name: string, status: string): ValidateFunction {
    const known = validators.get(`${name} ${status}`);
    if (known) return known;
    const responses = byName.get(name)?.responses;
    const response = responses?.[status] ?? responses?.[`${status[0]}XX`];
    expect(response, `${name} responded with the undocumented status ${status}`).toBeDefined();
    const validator = ajv.compile(response?.content?.['application/json']?.schema ?? {});
    validators.set(`${name} ${status}`, validator);
    return validator;
  }

  return function checkDocumented(
    { headers, payload, statusCode }: LightMyRequestResponse,
    { operation, url }: NearValidRequest,
  ): void {
    if (reachesOther(url)) return;
    const validate = validatorOf(operation, String(statusCode));
    if (payload === '' || !String(headers['content-type']).startsWith('application/json')) return;
    expect(
      validate(JSON.parse(payload)),
      `${operation} ${statusCode}: ${ajv.errorsText(validate.errors)} in ${payload.slice(0, 1000)}`,
    ).toBe(true);
  };
}

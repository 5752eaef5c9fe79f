import { ResponseError } from '../errors.js';
import { isJsonObject, type JsonObject } from '../json-schema.js';
import type { Encoding, McpBinding, Method, RequestBinding } from '../tool.js';
import { bindEntries, bindValue } from './bind-value.js';
import { bracketFields } from './form-fields.js';
import { type Given, REFERENCES, resolve } from './reference.js';
import { segment } from './segment.js';

export type QueryValue = string | number | boolean;

/**
 * Upstream request with a path relative to the base URL of a host. An array in `query` is sent as a repeated
 * parameter.
 */
export interface BoundRequest {
  readonly method: Method;
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly encoding?: Encoding;
  /** Header for an idempotency key, which the service adds when it sends the request. */
  readonly idempotencyHeader?: string;
}

/**
 * Builds an upstream request from a template in the tool file and a valid tool input. Throws `InvalidInputError` if an
 * input value cannot be part of the path or of a form. Throws `ResponseError` if the previous upstream response lacks a
 * part that the request needs.
 */
export function bindRequest(request: RequestBinding, given: Given): BoundRequest {
  const { method, host, query, headers, encoding, idempotencyHeader } = request;
  const body = bindBody(request, given);
  return {
    method,
    ...(host !== undefined && { host }),
    path: bindPath(request.path, given),
    ...(query && { query: bindQuery(query, given) }),
    ...(headers && { headers: bindHeaders(headers, given) }),
    ...(body !== undefined && { body }),
    ...(encoding !== undefined && { encoding }),
    ...(idempotencyHeader !== undefined && { idempotencyHeader }),
  };
}

function bindBody({ body: binding, nested }: RequestBinding, given: Given): unknown {
  const body = bindValue(binding, given);
  return nested === 'brackets' && isJsonObject(body) ? bracketFields(body) : body;
}

/** Builds the arguments of an upstream MCP tool from a valid input. */
export const bindArguments = ({ arguments: binding = {} }: McpBinding, input: JsonObject): JsonObject =>
  bindEntries(binding, { input });

function bindPath(path: string, given: Given): string {
  return path.replace(REFERENCES, (_, reference: string) => {
    const value = resolve(reference, given);
    if (typeof value === 'string' || typeof value === 'number') return segment(String(value), reference);
    if (reference.startsWith('/')) throw new ResponseError(missing(reference.slice(1)), given.response);
    throw new Error(
      `The path of the request needs the tool input "${reference}", but no string or number was given for this input. Give this input a string or a number.`,
    );
  });
}

/** Returns the error message for an upstream response that lacks a required part. */
export const missing = (path: string): string =>
  `The upstream reported success, but its response has no value in the field "${path}". Check at the upstream whether the call took effect before you retry.`;

const isQueryValue = (value: unknown): value is QueryValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function bindQuery(query: Readonly<JsonObject>, given: Given) {
  const bound: Record<string, QueryValue | QueryValue[]> = {};
  for (const [name, binding] of Object.entries(query)) {
    const value = bindValue(binding, given);
    // Leaves out a null query parameter, because a URL cannot express null.
    if (value === undefined || value === null) continue;
    const isList = Array.isArray(value) && value.every(isQueryValue);
    if (!isQueryValue(value) && !isList)
      throw new Error(
        `The query parameter "${name}" must be a string, number, boolean or a list of these. Change the tool input for this parameter.`,
      );
    bound[name] = value;
  }
  return bound;
}

function bindHeaders(headers: Readonly<JsonObject>, given: Given): Record<string, string> {
  return Object.fromEntries(
    Object.entries(bindEntries(headers, given)).flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)]],
    ),
  );
}

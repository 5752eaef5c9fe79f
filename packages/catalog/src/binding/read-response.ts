import { cutText } from '../cut-text.js';
import { ResponseError } from '../errors.js';
import { isJsonObject, type JsonObject } from '../json-schema.js';
import type { ErrorResponse, Need, ResponseBinding } from '../tool.js';
import { missing } from './bind-request.js';
import { bindValue } from './bind-value.js';
import { at, type Given, resolve } from './reference.js';

/** Throws `ResponseError` when the upstream response lacks a part that the tool requires. */
export function checkNeeds(needs: readonly Need[], given: Given): void {
  for (const { at: path, code, message } of needs) {
    const value = at(given.response, path);
    if (value !== undefined && value !== null) continue;
    throw new ResponseError(
      message === undefined ? missing(path) : withNames(message, given),
      given.response,
      code,
    );
  }
}

const withNames = (message: string, given: Given): string =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => cutText(String(resolve(name, given)), 100));

/** Returns the tool's data for the caller, made from the last upstream response. */
export function dataOf(binding: ResponseBinding | undefined, given: Given): unknown {
  if (binding === undefined) return given.response;
  const data = 'data' in binding ? bindValue(binding.data, given) : given.response;
  return binding.omit === undefined || !isJsonObject(data) ? data : without(data, binding.omit);
}

const without = (data: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));

/** Finds the tool's rule that converts an upstream error to a normal result. Undefined if no rule matches. */
export const findErrorResponse = (
  binding: ResponseBinding | undefined,
  { status, body }: { readonly status: unknown; readonly body: unknown },
): ErrorResponse | undefined =>
  binding?.errors?.find(
    (error) =>
      error.status === status &&
      (error.body === undefined || contains(body, error.body)) &&
      (error.text === undefined || holdsText(body, error.text.toLowerCase())),
  );

function holdsText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(text);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part) => holdsText(part, text));
}

/** Returns whether `expected` is a part of `actual`, field by field. An array matches if one of its items matches. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) return expected.every((item) => contains(actual, item));
  if (Array.isArray(actual)) return actual.some((item) => contains(item, expected));
  if (!isJsonObject(expected)) return actual === expected;
  if (!isJsonObject(actual)) return false;
  return Object.entries(expected).every(
    ([name, value]) => Object.hasOwn(actual, name) && contains(actual[name], value),
  );
}

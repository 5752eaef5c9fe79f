import type { JsonObject, McpBinding, RequestBinding } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { QueryValue, UpstreamRequest } from '../upstream/request.js';
import { segment } from './segment.js';

const WHOLE_NAME = /^\{(\w+)\}$/;
const NAME_IN_PATH = /\{(\w+)\}/g;

const inputOf = (input: JsonObject, name: string): unknown =>
  Object.hasOwn(input, name) ? input[name] : undefined;

const without = <Value>(value: Value | undefined): Value[] => (value === undefined ? [] : [value]);

/** A literal, an input for a whole-string "{name}", or a nesting of these; what is absent vanishes, containers stay. */
export function bindValue(binding: unknown, input: JsonObject): unknown {
  if (typeof binding === 'string') {
    const [, name] = WHOLE_NAME.exec(binding) ?? [];
    return name === undefined ? binding : inputOf(input, name);
  }
  if (Array.isArray(binding)) return binding.flatMap((item) => without(bindValue(item, input)));
  return typeof binding === 'object' && binding !== null ? bindEntries(binding, input) : binding;
}

function bindEntries(binding: object, input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(binding).flatMap(([name, item]) =>
      without(bindValue(item, input)).map((value) => [name, value]),
    ),
  );
}

function bindPath(path: string, input: JsonObject): string {
  return path.replace(NAME_IN_PATH, (_, name: string) => {
    const value = inputOf(input, name);
    if (typeof value === 'string' || typeof value === 'number') return segment(String(value), name);
    throw new ServiceError(
      'internal_error',
      `The path of this tool needs "${name}", which its input may leave out.`,
    );
  });
}

const isQueryValue = (value: unknown): value is QueryValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function bindQuery(query: JsonObject, input: JsonObject): Record<string, QueryValue | QueryValue[]> {
  const bound: Record<string, QueryValue | QueryValue[]> = {};
  for (const [name, binding] of Object.entries(query)) {
    const value = bindValue(binding, input);
    if (value === undefined) continue;
    const isList = Array.isArray(value) && value.every(isQueryValue);
    if (!isQueryValue(value) && !isList) {
      throw new ServiceError(
        'internal_error',
        `"${name}" of this tool's query is neither a value nor a list of values.`,
      );
    }
    bound[name] = value;
  }
  return bound;
}

function bindHeaders(headers: Readonly<Record<string, string>>, input: JsonObject): Record<string, string> {
  const bound = Object.entries(headers).flatMap(([name, binding]) =>
    without(bindValue(binding, input)).map((value) => [name, String(value)]),
  );
  return Object.fromEntries(bound);
}

/** The upstream request that a valid input becomes. */
export function bind(request: RequestBinding, input: JsonObject): UpstreamRequest {
  const body = bindValue(request.body, input);
  return {
    method: request.method,
    ...(request.host !== undefined && { host: request.host }),
    path: bindPath(request.path, input),
    ...(request.query && { query: bindQuery(request.query, input) }),
    ...(request.headers && { headers: bindHeaders(request.headers, input) }),
    ...(body !== undefined && { body }),
  };
}

/** The arguments of an MCP tool that a valid input becomes. */
export const bindArguments = ({ arguments: binding = {} }: McpBinding, input: JsonObject): JsonObject =>
  bindEntries(binding, input);

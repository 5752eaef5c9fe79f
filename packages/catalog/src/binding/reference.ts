import { isJsonObject, type JsonObject } from '../json-schema.js';
import type { Step } from '../lint/file-report.js';

/** Sources of the values in a template: the tool input, and the previous upstream response. */
export interface Given {
  readonly input: JsonObject;
  /** Body of the previous upstream response. */
  readonly response?: unknown;
}

/**
 * Matches references in a path such as `/v1/pages/{page_id}`: names of tool inputs, and paths in the previous upstream
 * response.
 */
export const REFERENCES = /\{([A-Za-z_]\w*(?:\/[^{}]+)?|\/[^{}]*)\}/g;
const WHOLE = /^\{(\w+(?:\/[^{}]+)?|\/[^{}]*)\}$/;

/**
 * Returns the reference in a template string that is `"{name}"`, `"{name/path/in/the/input}"` or
 * `"{/path/in/the/response}"`. Undefined for a literal string.
 */
export function referenceIn(text: string): string | undefined {
  // Tests for "{" (character code 123) first, because this runs for every value of every call and most values are
  // literals.
  return text.charCodeAt(0) === 123 ? WHOLE.exec(text)?.[1] : undefined;
}

/**
 * Returns the value of a tool input, or the value at a path in the previous upstream response. Undefined if the value
 * does not exist.
 */
export function resolve(reference: string, { input, response }: Given): unknown {
  if (reference.startsWith('/')) return at(response, reference.slice(1));
  return reference.includes('/') ? at(input, reference) : own(input, reference);
}

const own = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns the value at a path of names and numbers, such as `items/0/id`. An empty path returns the whole value. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path.split('/').reduce<unknown>((part, step) => {
    if (Array.isArray(part)) return part[Number(step)];
    return isJsonObject(part) ? own(part, step) : undefined;
  }, value);
}

/** Reference in a template, and the reference's path within the template. */
export interface BindingReference {
  /**
   * Name of a tool input, optionally with a path in it; or a path in the previous upstream response, beginning with a
   * slash.
   */
  readonly reference: string;
  readonly steps: readonly Step[];
  /** True if the string contains other text besides the reference. Only the `path` of a request allows that. */
  readonly isMixed: boolean;
}

/** Returns the references to tool inputs and to the previous response in a path such as `/v1/pages/{page_id}`. */
export function pathReferences(path: string): readonly string[] {
  return [...path.matchAll(REFERENCES)].map(([, reference]) => reference ?? '');
}

/**
 * Finds the references in a template: whole strings such as `"{page_id}"`. Skips the `values` of the operator `$table`,
 * because they are literals.
 */
export function bindingReferences(value: unknown, steps: readonly Step[] = []): readonly BindingReference[] {
  if (typeof value === 'string')
    return pathReferences(value).map((reference) => ({
      reference,
      steps,
      isMixed: value !== `{${reference}}`,
    }));
  if (Array.isArray(value)) return value.flatMap((item, index) => bindingReferences(item, [...steps, index]));
  if (!isJsonObject(value)) return [];
  const isTable = value['$table'] !== undefined;
  return Object.entries(value).flatMap(([key, member]) =>
    isTable && key === 'values' ? [] : bindingReferences(member, [...steps, key]),
  );
}

import type { Step } from '../file-report.js';
import { isJsonObject, type JsonObject } from '../json-schema.js';

/** Sources of values: the input, and the previous response. */
export interface Given {
  readonly input: JsonObject;
  /** The body of the answer before. */
  readonly answer?: unknown;
}

/** The references in a path such as `/v1/pages/{page_id}`: inputs by their names, and parts of the response before. */
export const REFERENCES = /\{([A-Za-z_]\w*(?:\/[^{}]+)?|\/[^{}]*)\}/g;
const WHOLE = /^\{(\w+(?:\/[^{}]+)?|\/[^{}]*)\}$/;

/** Returns the reference in `"{name}"`, `"{name/path/in/the/input}"` or `"{/path/in/the/response}"`; undefined for a literal. */
export function referenceIn(text: string): string | undefined {
  // The first character identifies most literals, and this runs for every value of every call.
  return text.charCodeAt(0) === 123 ? WHOLE.exec(text)?.[1] : undefined;
}

/** The value of an input, or of a place in the last answer; undefined where there is none. */
export function resolve(reference: string, { input, answer }: Given): unknown {
  if (reference.startsWith('/')) return at(answer, reference.slice(1));
  return reference.includes('/') ? at(input, reference) : own(input, reference);
}

const own = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The value at a path of names and numbers such as `items/0/id`; the whole value for an empty one. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path.split('/').reduce<unknown>((part, step) => {
    if (Array.isArray(part)) return part[Number(step)];
    return isJsonObject(part) ? own(part, step) : undefined;
  }, value);
}

/** A reference in a binding, and where it stands. */
export interface BindingReference {
  /** The name of an input, with a place in it or without, or a place in the answer before, which begins with a slash. */
  readonly reference: string;
  readonly steps: readonly Step[];
  /** True if the reference is mixed with text, which only `path` allows. */
  readonly isMixed: boolean;
}

/** The references in a path such as `/v1/pages/{page_id}`. */
export function pathReferences(path: string): readonly string[] {
  return [...path.matchAll(REFERENCES)].map(([, reference]) => reference ?? '');
}

/** The references in the values of a binding: whole strings such as `"{page_id}"`. The values of a table are literals. */
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

import { isJsonObject, type JsonObject } from '../json-schema.js';

/** What values are made of. */
export interface Given {
  readonly input: JsonObject;
  /** The body of the answer before. */
  readonly answer?: unknown;
}

const WHOLE = /^\{(\w+(?:\/[^{}]+)?|\/[^{}]*)\}$/;

/** What stands in `"{name}"`, `"{name/place/in/the/input}"` or `"{/place/in/the/answer}"`; undefined for a literal. */
export function referenceIn(text: string): string | undefined {
  // Most literals are told by their first character, and this runs for every value of every call.
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

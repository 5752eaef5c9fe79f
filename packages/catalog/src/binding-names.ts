import type { Step } from './file-report.js';
import { isJsonObject } from './json-schema.js';

/** An input that a binding names, and where. */
export interface BindingName {
  readonly name: string;
  readonly steps: readonly Step[];
  /** The name is mixed with text, which only `path` may do. */
  readonly isMixed: boolean;
}

const NAME = /\{([A-Za-z_]\w*)\}/g;

/** The names in a path such as `/v1/pages/{page_id}`. */
export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(NAME)].map(([, name]) => name ?? '');
}

/** The names in the values of a binding: whole strings such as `"{page_id}"`. */
export function bindingNames(value: unknown, steps: readonly Step[] = []): readonly BindingName[] {
  if (typeof value === 'string')
    return pathNames(value).map((name) => ({ name, steps, isMixed: value !== `{${name}}` }));
  if (Array.isArray(value)) return value.flatMap((item, index) => bindingNames(item, [...steps, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => bindingNames(member, [...steps, key]));
}

import type { Step } from '../file-report.js';
import { isJsonObject } from '../json-schema.js';

/** A reference in a binding, and where it stands. */
export interface BindingReference {
  /** The name of an input, with a place in it or without, or a place in the answer before, which begins with a slash. */
  readonly reference: string;
  readonly steps: readonly Step[];
  /** It is mixed with text, which only `path` may do. */
  readonly isMixed: boolean;
}

const REFERENCE = /\{([A-Za-z_]\w*(?:\/[^{}]+)?|\/[^{}]*)\}/g;

/** The references in a path such as `/v1/pages/{page_id}`. */
export function pathReferences(path: string): readonly string[] {
  return [...path.matchAll(REFERENCE)].map(([, reference]) => reference ?? '');
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

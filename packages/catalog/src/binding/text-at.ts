import { at } from './reference.js';

/** Maximum number of properties or list items that a step `*` of a path visits. */
const MOST_VISITED = 100;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const membersAt = (value: unknown, step: string): readonly unknown[] =>
  step === '*' && typeof value === 'object' && value !== null
    ? Object.values(value).slice(0, MOST_VISITED)
    : [at(value, step)];

function valuesAt(value: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [value];
  for (const step of path.split('/'))
    values = values.flatMap((each) => membersAt(each, step)).slice(0, MOST_VISITED);
  return values;
}

/**
 * Returns the first text at one of the paths, such as `items/0/title`. A step `*` stands for any name or index.
 * Undefined if no path leads to a text that is not empty.
 */
export function textAt(value: unknown, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = valuesAt(value, path).find(isText);
    if (text !== undefined) return text;
  }
  return undefined;
}

import { invalid } from './api-error.js';

/** Query parameters of a request. Lists are comma-separated, and empty values count as absent. */
export type Query = ReturnType<typeof readQuery>;

export function readQuery(search: URLSearchParams) {
  const text = (name: string) => search.get(name)?.trim() || undefined;
  const list = (name: string, most = 100) => {
    const values = (text(name) ?? '').split(',').flatMap((value) => value.trim() || []);
    if (values.length > most) throw invalid(`${name} takes at most ${most} values`);
    return values;
  };
  const known = <Value extends string>(name: string, value: string, values: readonly Value[]): Value => {
    const match = values.find((one) => one === value);
    if (match === undefined) throw invalid(`${name} must be one of: ${values.join(', ')}`);
    return match;
  };
  return {
    text,
    required(name: string): string {
      const value = text(name);
      if (value === undefined) throw invalid(`${name} is required`);
      return value;
    },
    list,
    /** Returns true if the parameter is present, even with an empty value. */
    isOn: (name: string) => search.has(name),
    page(last: number): number {
      const page = Number(text('page') ?? 1);
      if (!Number.isInteger(page) || page < 1 || page > last)
        throw invalid(`page must be between 1 and ${last}`);
      return page;
    },
    choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
      const value = text(name);
      return value === undefined ? undefined : known(name, value, values);
    },
    choices: <Value extends string>(name: string, values: readonly Value[]) =>
      list(name).map((value) => known(name, value, values)),
  };
}

/** Returns true if `text` contains `part`, ignoring case. */
export const contains = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase());

/** Returns true if `text` contains one of `parts`, or if `parts` is empty. */
export const containsAny = (text: string, parts: readonly string[]): boolean =>
  parts.length === 0 || parts.some((part) => contains(text, part));

/** Returns true if `value` is one of `wanted`, or if `wanted` is empty. */
export const isOneOf = (value: string, wanted: readonly string[]): boolean =>
  wanted.length === 0 || wanted.includes(value);

/** Returns the last path segment of a profile or company URL, which identifies the person or company. */
export const slugOf = (url: string): string =>
  url
    .split(/[?#]/, 1)
    .join()
    .split('/')
    .findLast((part) => part !== '') ?? '';

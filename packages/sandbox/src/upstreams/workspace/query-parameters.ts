import { invalid } from './api-error.js';
import type { Call } from './call.js';
import { type Paging, pagingShapes } from './paging.js';
import { failureMessage, object, type Shape } from './shape.js';

/** Reads query parameters; keys that no shape names are ignored. */
export function readQuery(
  call: Call,
  fields: Readonly<Record<string, Shape>>,
  required: readonly string[] = [],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = call.query.get(name);
    if (value !== null) values[name] = name === 'page_size' ? numeric(value) : value;
  }
  const problems = object(fields, required)(values, 'query');
  if (problems.length > 0) throw invalid(failureMessage('query', problems));
  return values;
}

/** The columns to answer with. The parameter may be repeated, with or without brackets; ids arrive decoded once. */
export function askedColumns({ query }: Call): ReadonlySet<string> | undefined {
  const names = [...query.keys()].filter((name) => /^filter_properties(\[\d*\])?$/.test(name));
  const ids = [...new Set(names)].flatMap((name) => query.getAll(name));
  return ids.length === 0 ? undefined : new Set(ids);
}

export const readPaging = (call: Call): Paging => readQuery(call, pagingShapes);

function numeric(value: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

import { isObject } from '../json.js';
import { ApiError, parameter } from './api-error.js';

type Mask = { [name: string]: Mask | true };

/**
 * Reduces a response to the fields that the `fields` parameter selects, such as
 * `items(id,start/dateTime),nextPageToken`.
 */
export function applyFields(body: unknown, fields: string | undefined): unknown {
  if (fields === undefined || fields === '*') return body;
  return select(body, parse(fields));
}

function parse(fields: string): Mask {
  const mask: Mask = {};
  const stack: Mask[] = [mask];
  for (const token of fields.match(/[^(),\s]+|[(),]/g) ?? []) {
    const current = stack.at(-1);
    if (current === undefined) throw refused(fields);
    if (token === '(') stack.push(lastLeaf(current, fields));
    else if (token === ')') stack.pop();
    else if (token !== ',') addPath(current, token.split('/'));
  }
  if (stack.length !== 1) throw refused(fields);
  return mask;
}

const refused = (fields: string) =>
  new ApiError(400, 'invalidParameter', `Invalid field selection ${fields}`, { at: parameter('fields') });

function addPath(mask: Mask, path: readonly string[]): void {
  let current = mask;
  path.forEach((name, index) => {
    const known = current[name];
    if (index === path.length - 1) {
      delete current[name];
      current[name] = known ?? true;
      return;
    }
    const next: Mask = known === undefined || known === true ? {} : known;
    current[name] = next;
    current = next;
  });
}

function lastLeaf(mask: Mask, fields: string): Mask {
  const name = Object.keys(mask).at(-1);
  if (name === undefined) throw refused(fields);
  const value = mask[name];
  if (value !== true && value !== undefined) return lastLeaf(value, fields);
  const opened: Mask = {};
  mask[name] = opened;
  return opened;
}

function select(value: unknown, mask: Mask | true): unknown {
  if (mask === true || '*' in mask) return value;
  if (Array.isArray(value)) return value.map((item) => select(item, mask));
  if (!isObject(value)) return value;
  const selected = Object.entries(mask).filter(([name]) => value[name] !== undefined);
  return Object.fromEntries(selected.map(([name, inner]) => [name, select(value[name], inner)]));
}

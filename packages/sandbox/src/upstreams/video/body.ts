import { createHash } from 'node:crypto';
import { ApiError } from '../../google/api-error.js';
import { isObject } from '../../json.js';
import type { Fields } from './world.js';

/** Validates a field of a request body and throws for an invalid value. Null counts as absent for every field. */
export type Check = (value: unknown, path: string) => void;

const refuse = (message: string): ApiError =>
  new ApiError(400, 'badRequest', message, { status: 'INVALID_ARGUMENT' });

function ofType(word: string, isGood: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (value === null || isGood(value)) return;
    throw refuse(`Invalid value at '${path}' (${word}), ${JSON.stringify(value)}`);
  };
}

export const text = ofType('TYPE_STRING', (value) => typeof value === 'string');
export const flag = ofType('TYPE_BOOL', (value) => typeof value === 'boolean');
export const count = ofType('TYPE_UINT32', (value) => Number.isInteger(value));
/** Check for read-only fields. Clients may send them back, and their values are ignored. */
export const ignored: Check = () => {};

export function word(...allowed: readonly string[]): Check {
  return ofType('TYPE_ENUM', (value) => typeof value === 'string' && allowed.includes(value));
}

export function list(item: Check): Check {
  return (value, path) => {
    if (value === null) return;
    if (!Array.isArray(value))
      throw refuse(`Invalid value at '${path}' (TYPE_LIST), ${JSON.stringify(value)}`);
    value.forEach((one, index) => {
      item(one, `${path}[${index}]`);
    });
  };
}

/** Fields that identify a resource. Request bodies may repeat them. */
export const NAMING = { kind: text, etag: text, id: text };

export const each = (check: Check, names: string): Record<string, Check> =>
  Object.fromEntries(
    names
      .split(' ')
      .filter(Boolean)
      .map((name) => [name, check]),
  );

/** Builds a check for an object. `unread` lists read-only fields, separated by spaces. */
export function record(own: Readonly<Record<string, Check>>, unread = ''): Check {
  const fields = { ...each(ignored, unread), ...own };
  return (value, path) => {
    if (value === null) return;
    if (!isObject(value)) throw refuse(`Invalid value at '${path}' (TYPE_MESSAGE), ${JSON.stringify(value)}`);
    for (const [name, inner] of Object.entries(value)) {
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (check === undefined) throw refuse(unknownName(name, path));
      check(inner, path === '' ? name : `${path}.${name}`);
    }
  };
}

function unknownName(name: string, path: string): string {
  const location = path === '' ? '' : ` at '${path}'`;
  return `Invalid JSON payload received. Unknown name "${name}"${location}: Cannot find field.`;
}

/** Returns a nested object of a request body. Absent and null values become an empty object. */
export const within = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isObject(value) ? value : {};
};

export const textOf = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
};

export function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) =>
      fields[name] === undefined || fields[name] === null ? [] : [[name, fields[name]]],
    ),
  );
}

export function withEtag({ kind, ...rest }: Fields): Fields {
  const etag = createHash('sha256').update(inOrder(rest)).digest('base64url').slice(0, 27);
  return { kind, etag, ...rest };
}

// Sorts the keys before hashing, so that the etag depends on the values and not on the key order.
function inOrder(fields: Fields): string {
  return JSON.stringify(fields, (_name, value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

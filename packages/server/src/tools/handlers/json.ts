import { isJsonObject, type JsonObject } from '@svc/catalog';
import { ServiceError } from '../../errors.js';

export type Json = Readonly<JsonObject>;

/**
 * Returns the upstream's response body as an object. Throws upstream_failed if it is not an object. `what`: the
 * expected object, for the error message.
 */
export function objectIn(body: unknown, what: string): Json {
  if (isJsonObject(body)) return body;
  throw new ServiceError(
    'upstream_failed',
    `The upstream succeeded, but its response is not ${what}. Check the result at the upstream before you repeat the call.`,
    {
      body,
    },
  );
}

/**
 * Returns the id in the upstream's response body. Throws upstream_failed if the id is missing. `what`: the expected
 * object, for the error message.
 */
export function idIn(body: unknown, what: string): string {
  const { id } = objectIn(body, what);
  if (typeof id === 'string') return id;
  throw new ServiceError(
    'upstream_failed',
    `The upstream succeeded, but its response is ${what} without an id. Check the result at the upstream before you repeat the call.`,
    { body },
  );
}

/** Returns the list in the field `name` of a response body. Returns an empty list if the body has no such list. */
export const listIn = (body: Json, name: string): readonly unknown[] => {
  const list = body[name];
  return Array.isArray(list) ? list : [];
};

/** Removes keys of a request body whose value is `undefined`, because upstreams reject keys without a value. */
export const withoutUndefined = (entries: Json): Json =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));

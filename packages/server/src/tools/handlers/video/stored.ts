import { isJsonObject, type JsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Send } from '../../handler.js';

/** Which resource is read, and which of its parts. */
export interface StoredRequest {
  /** What the resource is called in messages. */
  readonly noun: string;
  readonly path: string;
  readonly part: string;
  readonly id: string;
}

/** The resource as it is stored. Throws not_found: a list answers an id that does not exist with no items. */
export async function readStored(send: Send, request: StoredRequest): Promise<JsonObject> {
  const { noun, path, part, id } = request;
  const answer = await send({ method: 'GET', path, query: { part, id } });
  const items = isJsonObject(answer) && Array.isArray(answer['items']) ? answer['items'] : [];
  const [stored]: readonly unknown[] = items;
  if (isJsonObject(stored)) return stored;
  throw new ServiceError('not_found', `There is no ${noun} "${id}", or this user cannot see it.`);
}

/** A part as it is written: what is stored in the fields that can be written, under what is given. */
export function mergePart(stored: unknown, writable: readonly string[], given: JsonObject): JsonObject {
  const part = isJsonObject(stored) ? stored : {};
  return Object.fromEntries(
    writable.flatMap((name) => {
      const value = given[name] ?? part[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

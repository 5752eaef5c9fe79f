import { isJsonObject, type JsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Send } from '../../handler.js';

/** A part of a resource to read. */
export interface StoredRequest {
  /** Name of the resource in error messages. */
  readonly noun: string;
  readonly path: string;
  readonly part: string;
  readonly id: string;
}

/** Reads a resource. Throws not_found when the list has no items, which is the upstream's response to an unknown id. */
export async function readStored(send: Send, request: StoredRequest): Promise<JsonObject> {
  const { noun, path, part, id } = request;
  const answer = await send({ method: 'GET', path, query: { part, id } });
  const items = isJsonObject(answer) && Array.isArray(answer['items']) ? answer['items'] : [];
  const [stored]: readonly unknown[] = items;
  if (isJsonObject(stored)) return stored;
  throw new ServiceError('not_found', `There is no ${noun} "${id}", or this user cannot see it.`);
}

/** Builds a part to write: the given fields, and the stored values of all other writable fields. */
export function mergePart(stored: unknown, writable: readonly string[], given: JsonObject): JsonObject {
  const part = isJsonObject(stored) ? stored : {};
  return Object.fromEntries(
    writable.flatMap((name) => {
      const value = given[name] ?? part[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

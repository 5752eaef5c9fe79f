import { isJsonObject, type JsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Send } from '../../handler.js';

/** Identifies a part of a stored resource at the upstream, such as the snippet of a video. */
export interface StoredRequest {
  /** Name of the upstream resource for error messages, such as "video". */
  readonly noun: string;
  readonly path: string;
  readonly part: string;
  readonly id: string;
}

/**
 * Reads a resource of the upstream. Throws not_found if the response is an empty list, because the upstream returns
 * that for an unknown id.
 */
export async function readStored(send: Send, request: StoredRequest): Promise<JsonObject> {
  const { noun, path, part, id } = request;
  const response = await send({ method: 'GET', path, query: { part, id } });
  const items = isJsonObject(response) && Array.isArray(response['items']) ? response['items'] : [];
  const [stored]: readonly unknown[] = items;
  if (isJsonObject(stored)) return stored;
  throw new ServiceError(
    'not_found',
    `There is no ${noun} "${id}", or this user cannot see it. Check the id.`,
  );
}

/**
 * Builds the part of a resource for an update. The part contains the new values, and the stored values of all other
 * writable fields, because the upstream resets omitted fields.
 */
export function mergePart(stored: unknown, writable: readonly string[], given: JsonObject): JsonObject {
  const part = isJsonObject(stored) ? stored : {};
  return Object.fromEntries(
    writable.flatMap((name) => {
      const value = given[name] ?? part[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

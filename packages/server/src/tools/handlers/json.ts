import { isJsonObject, type JsonObject } from '@svc/catalog';
import { ServiceError } from '../../errors.js';

export type Json = Readonly<JsonObject>;

/** Returns the answer as an object. `what`: the expected object, for the error. */
export function objectIn(answer: unknown, what: string): Json {
  if (isJsonObject(answer)) return answer;
  throw new ServiceError('upstream_failed', `The upstream succeeded, but its answer is not ${what}`, {
    body: answer,
  });
}

/** Returns the id of the answer. `what`: the expected object, for the error. */
export function idIn(answer: unknown, what: string): string {
  const { id } = objectIn(answer, what);
  if (typeof id === 'string') return id;
  throw new ServiceError(
    'upstream_failed',
    `The upstream succeeded, but its answer is ${what} without an id`,
    { body: answer },
  );
}

/** Items of a list of the answer; none when it has no such list. */
export const listIn = (answer: Json, name: string): readonly unknown[] => {
  const list = answer[name];
  return Array.isArray(list) ? list : [];
};

/** Entries with a value, because upstreams refuse a key without one. */
export const withoutUndefined = (entries: Json): Json =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));

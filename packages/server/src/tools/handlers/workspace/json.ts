import { isJsonObject, type JsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';

export type Json = Readonly<JsonObject>;

/** The answer as an object; `what` says in the error what it should have been. */
export function objectIn(answer: unknown, what: string): Json {
  if (isJsonObject(answer)) return answer;
  throw new ServiceError('upstream_failed', `The upstream succeeded, but its answer is not ${what}`, {
    body: answer,
  });
}

/** The id in the answer; `what` says in the error what it should have been. */
export function idIn(answer: unknown, what: string): string {
  const { id } = objectIn(answer, what);
  if (typeof id === 'string') return id;
  throw new ServiceError(
    'upstream_failed',
    `The upstream succeeded, but its answer is ${what} without an id`,
    { body: answer },
  );
}

/** The entries of a list in the answer; none when it has no such list. */
export const listIn = (answer: Json, name: string): readonly unknown[] => {
  const list = answer[name];
  return Array.isArray(list) ? list : [];
};

/** The entries that were given: the upstream refuses a key without a value. */
export const given = (entries: Json): Json =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));

import { ServiceError } from './errors.js';
import type { AccountName } from './resources.js';

/** Joins values to a path of the service, each as one segment. */
export const path = (...segments: readonly string[]): string =>
  `/v1/${segments.map((name) => encodeURIComponent(text(name))).join('/')}`;

/** What a caller without types left out would be the name "undefined" otherwise, and the same one for all of them. */
export function text(value: string): string {
  if (value?.length && value.isWellFormed?.()) return value;
  throw new ServiceError({
    code: 'invalid_request',
    message: `No name, id or path: ${value}`,
  });
}

/** The path of an account by connection and identifier. */
export const accountPath = ({ connectionName, identifier }: AccountName): string =>
  path('connections', connectionName, 'accounts', identifier);

/** Refuses what the platform's URL would rewrite, and so send elsewhere: dot segments, backslashes and the like. */
export function checkPath(given: string): void {
  if (/[\\#\p{Cc}]|\/(\.|%2e){1,2}([/?]| *$)/iu.test(given)) {
    throw new ServiceError({ code: 'invalid_request', message: `Unsafe path: ${given}` });
  }
}

import { demand } from './errors.js';
import type { AccountName } from './resources.js';

/** Joins values to a path of the service, each as one segment. */
export const path = (...segments: readonly string[]): string =>
  `/v1/${segments.map((name) => encodeURIComponent(text(name))).join('/')}`;

/** What a caller without types left out would be the name "undefined" otherwise, and the same one for all of them. */
export function text(value: string): string {
  demand(value?.length && value.isWellFormed?.(), 'invalid_request', `No safe name, id or path: ${value}`);
  return value;
}

/** The path of an account by connection and identifier. */
export const accountPath = ({ connectionName, identifier }: AccountName): string =>
  path('connections', connectionName, 'accounts', identifier);

/** Refuses what the platform's URL would rewrite, and so send elsewhere: dot segments, backslashes and the like. */
export function checkPath(given: string): void {
  const isUnsafe = /[\\#\p{Cc}]|\/(\.|%2e){1,2}([/?]| *$)/iu.test(given);
  demand(!isUnsafe, 'invalid_request', `No safe name, id or path: ${given}`);
}

import type { AccountName } from './resources.js';

/** What the platform's URL would rewrite, and so send elsewhere: dot segments, backslashes, half characters and the like. */
export const UNSAFE_PATH = /[\\#\p{Cc}\p{Cs}]|\/(\.|%2e){1,2}([/?]| *$)/iu;

/**
 * Joins values to a path of the service, each as one segment. One that is missing makes the path unsafe: what a caller without
 * types left out would be the name "undefined" otherwise, and the same one for all of them.
 */
export const path = (...segments: readonly string[]): string =>
  `/v1/${segments.map((name) => (name?.isWellFormed?.() && encodeURIComponent(name)) || '#').join('/')}`;

/** The path of an account by connection and identifier. */
export const accountPath = ({ connectionName, identifier }: AccountName): string =>
  path('connections', connectionName, 'accounts', identifier);

import type { AccountName } from './resources.js';

/**
 * Characters that `URL` would rewrite, which would change the target: dot segments, backslashes, fragments, control characters,
 * lone surrogates.
 */
export const UNSAFE_PATH = /[\\#\p{Cc}\p{Cs}]|\/(\.|%2e){1,2}([/?]| *$)/iu;

/** Stands for a missing name and makes the path unsafe. Without types, `undefined` would become the name "undefined". */
const MISSING = '#';

/** Joins names to a path of the service, each as one encoded segment. */
export function path(...names: readonly string[]): string {
  return `/v1/${names.map(toSegment).join('/')}`;
}

function toSegment(name: string): string {
  const isName = typeof name === 'string' && name !== '' && name.isWellFormed();
  return isName ? encodeURIComponent(name) : MISSING;
}

/** The path of an account by connection and identifier. */
export function accountPath({ connectionName, identifier }: AccountName): string {
  return path('connections', connectionName, 'accounts', identifier);
}

/** The path of a proxied request. */
export function proxyPath({ connectionName, identifier }: AccountName, upstreamPath: string): string {
  const prefix = path('proxy', connectionName, identifier);
  if (typeof upstreamPath !== 'string' || !upstreamPath) return prefix + MISSING;
  // A slash must separate them. Otherwise the path would extend the identifier and name another account.
  return upstreamPath.startsWith('/') ? prefix + upstreamPath : `${prefix}/${upstreamPath}`;
}

import type { ProxyRequest } from './proxy-request.js';
import type { AccountName } from './resources.js';

/**
 * Matches characters in a request path that `URL` would rewrite, so that the request has another target: dot segments,
 * backslashes, fragments, control characters, lone surrogates.
 */
export const UNSAFE_PATH = /[\\#\p{Cc}\p{Cs}]|\/(\.|%2e){1,2}([/?]| *$)/iu;

/**
 * Placeholder for a missing name in a path. "#" makes the path unsafe, so the call fails. JavaScript callers without
 * types would otherwise send the name "undefined".
 */
const MISSING = '#';

/** Joins names to a path of the service. Each name becomes one percent-encoded segment. */
export function path(...names: readonly string[]): string {
  return `/v1/${names.map(toSegment).join('/')}`;
}

function toSegment(name: string): string {
  const isName = typeof name === 'string' && name !== '' && name.isWellFormed();
  return isName ? encodeURIComponent(name) : MISSING;
}

/** Returns the path of a connected account at the service, or of an operation below it, such as `/revoke`. */
export function accountPath({ connectionName, identifier, account }: AccountName, operation = ''): string {
  const query = account ? `?account=${toSegment(account)}` : '';
  return path('connections', connectionName, 'accounts', identifier) + operation + query;
}

/** Returns the path of a proxied request at the service. */
export function proxyPath({ connectionName, identifier, path: upstreamPath }: ProxyRequest): string {
  const prefix = path('proxy', connectionName, identifier);
  if (typeof upstreamPath !== 'string' || !upstreamPath) return prefix + MISSING;
  // Adds a missing slash, because the upstream path would otherwise extend the identifier and name another account.
  return upstreamPath.startsWith('/') ? prefix + upstreamPath : `${prefix}/${upstreamPath}`;
}

import { ServiceError } from '../errors.js';
import { withoutLastSlashes } from '../without-last-slashes.js';
import { canonicalPath, canonicalQuery } from './canonical-path.js';

export interface Target {
  readonly origin: string;
  /** Path and query as they go on the wire. */
  readonly path: string;
}

/** Where a request goes, built once from the connection's base URL and asserted on the parsed result (rule P2). */
export function buildTarget(baseUrl: string, path: string, query = ''): Target {
  const base = new URL(baseUrl);
  const fullPath = withoutLastSlashes(base.pathname) + canonicalPath(path);
  const target = new URL(base.origin + fullPath);
  const isInside =
    target.origin === base.origin &&
    target.pathname === fullPath &&
    target.username === '' &&
    target.password === '' &&
    target.hash === '';
  if (!isInside) {
    throw new ServiceError(
      'invalid_request',
      'The upstream path leads out of the base URL of the connection.',
    );
  }
  return { origin: base.origin, path: query === '' ? fullPath : `${fullPath}?${canonicalQuery(query)}` };
}

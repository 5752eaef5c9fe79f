import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import { canonicalPath, canonicalQuery, isPlainPath } from './canonical-path.js';
import type { EncodedSlashes } from './encoded-slashes.js';

export interface Target {
  readonly origin: string;
  /** Path and query of the request, as they are sent upstream. */
  readonly path: string;
}

interface Base {
  readonly origin: string;
  /** Path of the base URL, without a trailing slash. */
  readonly path: string;
}

const MAX_BASES = 10_000;

function readBase(baseUrl: string): Base {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, path: withoutLastSlashes(pathname) };
}

function assertInside({ origin }: Base, fullPath: string): void {
  const target = new URL(origin + fullPath);
  const isInside =
    target.origin === origin &&
    target.pathname === fullPath &&
    target.username === '' &&
    target.password === '' &&
    target.hash === '';
  if (isInside) return;
  throw new ServiceError(
    'invalid_request',
    'The upstream path is outside the base URL of the connection. Use a path below the base URL.',
  );
}

interface TargetRequest {
  readonly path: string;
  readonly query?: string | undefined;
  readonly encodedSlashes?: EncodedSlashes | undefined;
}

export function createBuildTarget() {
  const bases = new LRUCache<string, Base>({ max: MAX_BASES, memoMethod: readBase });
  /**
   * Builds the URL of an upstream request from the base URL of the connection or host. Checks the parsed URL, so that
   * no path can leave the base URL (rule P2 in security-rules.md).
   */
  return function buildTarget(baseUrl: string, { path, query = '', encodedSlashes }: TargetRequest): Target {
    const base = bases.memo(baseUrl);
    const fullPath = base.path + canonicalPath(path, encodedSlashes);
    // Skips this check for a plain path, because URL parsing never changes such a path. A test proves this.
    if (!isPlainPath(path)) assertInside(base, fullPath);
    return { origin: base.origin, path: query === '' ? fullPath : `${fullPath}?${canonicalQuery(query)}` };
  };
}

import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import { canonicalPath, canonicalQuery, isPlainPath } from './canonical-path.js';

export interface Target {
  readonly origin: string;
  /** Path and query as they go on the wire. */
  readonly path: string;
}

interface Base {
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
}

export type BuildTarget = (baseUrl: string, path: string, query?: string) => Target;

const MOST_BASES = 10_000;

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
  throw new ServiceError('invalid_request', 'The upstream path leads out of the base URL of the connection.');
}

/** Where a request goes, built once from the connection's base URL and asserted on the parsed result (rule P2). */
export function createBuildTarget(): BuildTarget {
  const bases = new LRUCache<string, Base>({ max: MOST_BASES, memoMethod: readBase });
  return (baseUrl, path, query = '') => {
    const base = bases.memo(baseUrl);
    const fullPath = base.path + canonicalPath(path);
    // Parsing leaves a plain path as it is, whatever the base: a test holds that.
    if (!isPlainPath(path)) assertInside(base, fullPath);
    return { origin: base.origin, path: query === '' ? fullPath : `${fullPath}?${canonicalQuery(query)}` };
  };
}

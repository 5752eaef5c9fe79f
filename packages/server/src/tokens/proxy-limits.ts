import { withDecodedSlashes } from '../text/with-decoded-slashes.js';

/** A request through the proxy. */
export interface Proxied {
  /** Method of the request, and the one of its override: the upstream may use either. */
  readonly methods: readonly string[];
  /** Canonical path (rule P2), before the routes of the connector change it. */
  readonly path: string;
  /** True if the body holds further requests, whose methods are not checked. */
  readonly isBatch: boolean;
}

/** Requests that a token allows through the proxy. */
export interface ProxyLimit {
  /** Allowed methods. Absent: all methods and batches. GET includes HEAD. */
  readonly methods?: readonly string[];
  /** Upstream path as it is sent. With "/" at its end it includes all paths below; otherwise it is this path only. */
  readonly path: string;
}

const MOST = 100;
const MOST_CHARACTERS = 1024;
const FIELDS = ['methods', 'path'];

const isMethod = (value: unknown): boolean => typeof value === 'string' && /^[A-Z]{1,16}$/.test(value);

function isProxyLimit(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { methods, path }: { methods?: unknown; path?: unknown } = value;
  return (
    Object.keys(value).every((name) => FIELDS.includes(name)) &&
    typeof path === 'string' &&
    path.startsWith('/') &&
    path.length <= MOST_CHARACTERS &&
    (methods === undefined || (Array.isArray(methods) && methods.length <= MOST && methods.every(isMethod)))
  );
}

/** True for a valid list of proxy limits. */
export const isProxyLimits = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MOST && value.every(isProxyLimit);

/** True if the methods of the request are safe in HTTP. A batch counts as unsafe, because its content is unknown. */
export const isReading = ({ methods, isBatch }: Omit<Proxied, 'path'>): boolean =>
  !isBatch && methods.every((method) => method === 'GET' || method === 'HEAD');

const takesMethods = ({ methods: allowed }: ProxyLimit, { methods, isBatch }: Proxied): boolean =>
  allowed === undefined ||
  (!isBatch &&
    methods.every((method) => allowed.includes(method) || (method === 'HEAD' && allowed.includes('GET'))));

const takesPath = (limit: string, path: string): boolean =>
  limit.endsWith('/') ? path.startsWith(limit) : path === limit;

/**
 * Compares paths as they are sent. Another spelling of a path does not match. With encoded slashes, the path must match as it is sent and
 * with its slashes decoded, because an upstream may read either.
 */
export const proxyAllows = (limits: readonly ProxyLimit[], proxied: Proxied): boolean =>
  limits.some(
    (limit) =>
      takesMethods(limit, proxied) &&
      takesPath(limit.path, proxied.path) &&
      takesPath(withDecodedSlashes(limit.path), withDecodedSlashes(proxied.path)),
  );

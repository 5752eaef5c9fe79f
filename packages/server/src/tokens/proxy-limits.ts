import { withDecodedSlashes } from '../text/with-decoded-slashes.js';

/** Proxied request, with the properties that proxy limits check. */
export interface Proxied {
  /**
   * HTTP method of the request, and the method of its override header if present. The upstream may obey either, so
   * limits check both.
   */
  readonly methods: readonly string[];
  /**
   * Upstream path of the request in canonical form (rule P2 in security-rules.md). A route of the connector's proxy may
   * replace its beginning before the request is sent; limits check the original path.
   */
  readonly path: string;
  /**
   * True for a batch: a request whose body contains further requests. The service does not check the methods of these
   * requests.
   */
  readonly isBatch: boolean;
}

/** Limit of a narrowed token that allows certain requests through the proxy. */
export interface ProxyLimit {
  /** Allowed HTTP methods. GET also allows HEAD. If absent, all methods and batch requests are allowed. */
  readonly methods?: readonly string[];
  /**
   * Allowed upstream path. The path of a request must have the same spelling, such as the same percent-encoding. A path
   * that ends with "/" also allows all paths below it.
   */
  readonly path: string;
}

const MAX_ENTRIES = 100;
const MAX_CHARACTERS = 1024;
const FIELDS = ['methods', 'path'];

const isMethod = (value: unknown): boolean => typeof value === 'string' && /^[A-Z]{1,16}$/.test(value);

function isProxyLimit(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { methods, path }: { methods?: unknown; path?: unknown } = value;
  return (
    Object.keys(value).every((name) => FIELDS.includes(name)) &&
    typeof path === 'string' &&
    path.startsWith('/') &&
    path.length <= MAX_CHARACTERS &&
    (methods === undefined ||
      (Array.isArray(methods) && methods.length <= MAX_ENTRIES && methods.every(isMethod)))
  );
}

/** Returns true if the value is a valid list of proxy limits. */
export const isProxyLimits = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MAX_ENTRIES && value.every(isProxyLimit);

/**
 * Returns true if the request only uses GET and HEAD, which change nothing. A batch counts as a write, because its
 * content is unknown.
 */
export const isReading = ({ methods, isBatch }: Omit<Proxied, 'path'>): boolean =>
  !isBatch && methods.every((method) => method === 'GET' || method === 'HEAD');

const takesMethods = ({ methods: allowed }: ProxyLimit, { methods, isBatch }: Proxied): boolean =>
  allowed === undefined ||
  (!isBatch &&
    methods.every((method) => allowed.includes(method) || (method === 'HEAD' && allowed.includes('GET'))));

const takesPath = (limit: string, path: string): boolean =>
  limit.endsWith('/') ? path.startsWith(limit) : path === limit;

/**
 * Returns true if a proxy limit allows the request. Paths are compared as they are sent, so another spelling of a path
 * does not match. A path with encoded slashes must also match after their decoding, because upstreams differ in how
 * they read it.
 */
export const proxyAllows = (limits: readonly ProxyLimit[], proxied: Proxied): boolean =>
  limits.some(
    (limit) =>
      takesMethods(limit, proxied) &&
      takesPath(limit.path, proxied.path) &&
      takesPath(withDecodedSlashes(limit.path), withDecodedSlashes(proxied.path)),
  );

/** A request through the proxy. */
export interface Proxied {
  readonly method: string;
  /** The canonical path (rule P2), before the connector's routes change it. */
  readonly path: string;
  /** Whether it holds other requests, whose methods nobody looks at. */
  readonly isBatch: boolean;
}

/** Requests that may go through the proxy. */
export interface ProxyLimit {
  /** Any that the proxy takes where it is absent, batches among them; GET brings HEAD with it. */
  readonly methods?: readonly string[];
  /** An upstream path, as it is sent: with "/" at its end everything below it, else this path alone. */
  readonly path: string;
}

const MOST = 100;
const MOST_CHARACTERS = 1024;
const WORDS = ['methods', 'path'];

const isMethod = (value: unknown): boolean => typeof value === 'string' && /^[A-Z]{1,16}$/.test(value);

function isProxyLimit(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { methods, path }: { methods?: unknown; path?: unknown } = value;
  return (
    Object.keys(value).every((word) => WORDS.includes(word)) &&
    typeof path === 'string' &&
    path.startsWith('/') &&
    path.length <= MOST_CHARACTERS &&
    (methods === undefined || (Array.isArray(methods) && methods.length <= MOST && methods.every(isMethod)))
  );
}

/** Whether a value says which requests may go through the proxy. */
export const isProxyLimits = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MOST && value.every(isProxyLimit);

/** Whether a request only reads, by what HTTP says of its method; of what a batch holds nobody knows. */
export const isReading = ({ method, isBatch }: Omit<Proxied, 'path'>): boolean =>
  !isBatch && (method === 'GET' || method === 'HEAD');

const takesMethod = ({ methods }: ProxyLimit, { method, isBatch }: Proxied): boolean =>
  methods === undefined ||
  (!isBatch && (methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))));

/** Compared as it is sent: another spelling of a path is another path. */
export const proxyAllows = (limits: readonly ProxyLimit[], proxied: Proxied): boolean =>
  limits.some(
    (limit) =>
      takesMethod(limit, proxied) &&
      (limit.path.endsWith('/') ? proxied.path.startsWith(limit.path) : proxied.path === limit.path),
  );

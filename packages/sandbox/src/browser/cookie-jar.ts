/** Cookie storage of one browser. Cookies belong to a host and ignore the port, as in browsers. */
export interface CookieJar {
  /** Stores the Set-Cookie headers of a response from this URL. */
  store(url: URL, setCookies: readonly string[]): void;
  /** Returns the Cookie header for a request, or an empty string if no cookie matches. */
  header(url: URL, request: { method: string; sameSite: boolean }): string;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly secure: boolean;
  readonly sameSite: string;
  readonly expiresAt: number;
}

/** Creates an empty cookie jar. `now` returns the time in epoch milliseconds that decides which cookies are expired. */
export function createCookieJar(now: () => number = Date.now): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    store(url, setCookies) {
      for (const line of setCookies) {
        const cookie = parseCookie(line, url, now());
        if (cookie === undefined) continue;
        const key = `${cookie.host} ${cookie.path} ${cookie.name}`;
        if (cookie.expiresAt <= now()) cookies.delete(key);
        else cookies.set(key, cookie);
      }
    },
    header(url, request) {
      const sent = [...cookies.values()].filter(
        (cookie) => cookie.expiresAt > now() && isSent(cookie, url, request),
      );
      sent.sort((a, b) => b.path.length - a.path.length);
      return sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
  };
}

function parseCookie(line: string, url: URL, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const equals = pair.indexOf('=');
  if (equals < 1) return undefined;
  const given = new Map(attributes.map((attribute) => splitAttribute(attribute)));
  const cookie: Cookie = {
    name: pair.slice(0, equals),
    value: pair.slice(equals + 1),
    host: url.hostname,
    path: given.get('path')?.startsWith('/') ? (given.get('path') ?? '/') : defaultPath(url),
    secure: given.has('secure'),
    sameSite: (given.get('samesite') ?? 'lax').toLowerCase(),
    expiresAt: expiry(given, now),
  };
  const foreign = given.has('domain') && given.get('domain')?.replace(/^\./, '') !== url.hostname;
  return foreign || breaksRules(cookie, given, url) ? undefined : cookie;
}

function breaksRules(cookie: Cookie, given: ReadonlyMap<string, string>, url: URL): boolean {
  if (cookie.secure && !isTrustworthy(url)) return true;
  if (cookie.sameSite === 'none' && !cookie.secure) return true;
  if (cookie.name.startsWith('__Secure-')) return !cookie.secure;
  if (!cookie.name.startsWith('__Host-')) return false;
  return !cookie.secure || given.has('domain') || given.get('path') !== '/';
}

function splitAttribute(attribute: string): [string, string] {
  const equals = attribute.indexOf('=');
  return equals === -1
    ? [attribute.toLowerCase(), '']
    : [attribute.slice(0, equals).toLowerCase(), attribute.slice(equals + 1)];
}

function defaultPath(url: URL): string {
  const end = url.pathname.lastIndexOf('/');
  return end <= 0 ? '/' : url.pathname.slice(0, end);
}

function expiry(given: ReadonlyMap<string, string>, now: number): number {
  const maxAge = Number(given.get('max-age') ?? Number.NaN);
  if (!Number.isNaN(maxAge)) return now + maxAge * 1000;
  const expires = Date.parse(given.get('expires') ?? '');
  return Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires;
}

// Browsers treat loopback hosts as secure. Cookies with the attribute Secure are therefore sent to them over plain HTTP
// too.
function isTrustworthy(url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(\.\d+){3}$/.test(url.hostname);
}

function isSent(cookie: Cookie, url: URL, request: { method: string; sameSite: boolean }): boolean {
  if (cookie.host !== url.hostname || !pathMatches(cookie.path, url.pathname)) return false;
  if (cookie.secure && !isTrustworthy(url)) return false;
  if (request.sameSite || cookie.sameSite === 'none') return true;
  return cookie.sameSite === 'lax' && request.method === 'GET';
}

function pathMatches(cookiePath: string, path: string): boolean {
  if (!path.startsWith(cookiePath)) return false;
  return cookiePath.endsWith('/') || path.length === cookiePath.length || path[cookiePath.length] === '/';
}

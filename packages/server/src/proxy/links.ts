import type { Connector, Route } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import { canonicalPath } from '../upstream/canonical-path.js';
import { isMcpEndpoint, type RoutedRequest } from './proxy-route.js';

type LinkedAccount = Pick<ResolvedAccount, 'connector' | 'baseUrl' | 'hosts'>;

/** Connected account of a proxied request, with the URL under which the caller reaches the account's proxy. */
export interface ProxiedAccount {
  readonly account: LinkedAccount;
  /** Proxy URL of the connected account without a trailing slash, exactly as the caller spelled it. */
  readonly proxyUrl: string;
  /**
   * Query parameter with the account's label, which links to the account's proxy must contain. Absent if the caller's
   * query contains no such parameter.
   */
  readonly labelQuery?: string | undefined;
}

/** Upstream host, path and query to which a proxied request is sent. */
export type RequestedTarget = Pick<RoutedRequest, 'host' | 'path' | 'query'>;

export type Links = ReturnType<typeof createLinks>;

interface Base {
  readonly host: string | undefined;
  readonly origin: string;
  /** Path of an upstream host's base URL without a trailing slash. */
  readonly path: string;
}

function baseOf(host: string | undefined, baseUrl: string): Base {
  const { origin, pathname } = new URL(baseUrl);
  return { host, origin, path: withoutLastSlashes(pathname) };
}

function basesOf({ hosts, proxy }: Connector, account: LinkedAccount): Base[] {
  const main = baseOf(undefined, account.baseUrl);
  // Returns only the main host for a connector without proxy routes, because its other hosts are not reachable through
  // the proxy.
  if (proxy === undefined) return [main];
  const others = Object.entries(hosts).map(([name, { baseUrl }]) =>
    baseOf(name, account.hosts[name] ?? baseUrl),
  );
  // Sorts the longest base URL first, because the base URL of one host may begin with that of another host, as in the
  // sandbox.
  return [main, ...others].sort((a, b) => b.path.length - a.path.length);
}

interface SplitLink {
  readonly origin: string;
  readonly path: string;
  readonly query: string;
}

/**
 * Splits a link in an upstream's response into origin, path and query. Path and query keep their spelling, because the
 * upstream may compare them byte by byte.
 */
function split(link: string): SplitLink | undefined {
  const url = /^https?:\/\/[^\s\\]+$/i.test(link) ? URL.parse(link) : null;
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  const begin = link.indexOf('/', link.indexOf('://') + 3);
  const rest = (begin === -1 ? '/' : link.slice(begin)).split('#', 1)[0] ?? '/';
  const mark = rest.indexOf('?');
  return {
    origin: url.origin,
    path: mark === -1 ? rest : rest.slice(0, mark),
    query: mark === -1 ? '' : rest.slice(mark),
  };
}

/**
 * Returns true if the path is canonical, for example without dot segments. A client would normalize another path, and
 * could then send its token to the proxy of another account.
 */
function isCanonical(path: string): boolean {
  try {
    // Allows encoded slashes in a link's path, because MCP servers use %2f in resource names. They are checked as if
    // they were decoded, so that no server can find dot segments in the path.
    canonicalPath(path.replace(/%2f/gi, '/'));
    return true;
  } catch {
    return false;
  }
}

const LOOPBACK =
  /^(?:(?:[^:[\]]+\.)?localhost|127\.[\d.]+|0\.0\.0\.0|\[(?:::1?|::ffff:7f[\da-f]{2}:[\da-f]{1,4})\])(?=:|$)/;

/**
 * Normalizes the host of a URL for comparison. Removes a trailing dot, and replaces every loopback address with
 * `localhost`.
 */
const hostOf = (url: string): string | undefined =>
  URL.parse(url)
    ?.host.replace(/\.(?=:|$)/, '')
    .replace(LOOPBACK, 'localhost');

/**
 * Converts the path that a proxy route sends to the upstream back to the path that callers use. Returns `undefined` if
 * the route does not send this path.
 */
function unroute({ path, to = path }: Pick<Route, 'path' | 'to'>, sent: string): string | undefined {
  const fits = to.endsWith('/') ? sent.startsWith(to) : sent === to;
  return fits ? path + sent.slice(to.length) : undefined;
}

function pathThrough(
  connector: Connector,
  account: LinkedAccount,
  { origin, path }: SplitLink,
): string | undefined {
  const base = basesOf(connector, account).find(
    (one) => one.origin === origin && path.startsWith(`${one.path}/`),
  );
  if (base === undefined) return undefined;
  const sent = path.slice(base.path.length);
  if (connector.proxy === undefined) return sent;
  for (const route of connector.proxy.routes) {
    const link = route.host === base.host ? unroute(route, sent) : undefined;
    if (link !== undefined) return link;
  }
  return undefined;
}

/** Adds the account's label to the query of a link, so that the link leads to the same account. */
function withLabel(query: string, { labelQuery }: ProxiedAccount): string {
  if (labelQuery === undefined) return query;
  return query === '' ? `?${labelQuery}` : `?${labelQuery}&${query.slice(1)}`;
}

/** Removes from a query the parameter `account` that `withLabel` added. */
function withoutLabel(query: string, { labelQuery }: ProxiedAccount): string {
  if (labelQuery === undefined) return query;
  if (query === `?${labelQuery}`) return '';
  return query.startsWith(`?${labelQuery}&`) ? `?${query.slice(labelQuery.length + 2)}` : query;
}

/** Returns the upstream URL to which the proxy sends requests for a path, or `undefined` if no route matches. */
function linkTo(connector: Connector, account: LinkedAccount, path: string): string | undefined {
  const routes = connector.proxy?.routes ?? [{ path: '/' }];
  for (const route of routes) {
    const sent = unroute({ path: route.to ?? route.path, to: route.path }, path);
    const base = basesOf(connector, account).find(({ host }) => host === route.host);
    if (sent !== undefined && base) return base.origin + base.path + sent;
  }
  return undefined;
}

/**
 * Creates the functions that convert links to an upstream's host into links to the account's proxy, and back. They
 * convert only links to hosts that proxied requests of the account can reach. `addresses`: URLs of the service.
 */
export function createLinks(connectors: ReadonlyMap<string, Connector>, addresses: readonly string[]) {
  const find = (parts: SplitLink | undefined, { account }: ProxiedAccount): string | undefined => {
    const connector = connectors.get(account.connector);
    return parts && connector && pathThrough(connector, account, parts);
  };
  return {
    /**
     * Converts an upstream link into a link to the account's proxy. Returns `undefined` if the link's target is not
     * reachable through the proxy.
     */
    toService(link: string, proxied: ProxiedAccount): string | undefined {
      const parts = split(link);
      const path = find(parts, proxied);
      return path === undefined || !isCanonical(path)
        ? undefined
        : `${proxied.proxyUrl}${path}${withLabel(parts?.query ?? '', proxied)}`;
    },
    /** Returns the upstream URL of a proxied request. Relative links in the response are resolved against it. */
    toUrl({ host, path, query }: RequestedTarget, { account }: ProxiedAccount): string | undefined {
      const connector = connectors.get(account.connector);
      const base = connector && basesOf(connector, account).find((one) => one.host === host);
      return base && `${base.origin}${base.path}${path}?${query}`;
    },
    /**
     * Returns true if a URL leads to the service itself, under any of the service's URLs. `callerHost`: `Host` header
     * of the caller's request.
     */
    isOwn(
      { href }: URL,
      { proxyUrl, callerHost }: { readonly proxyUrl: string; readonly callerHost: string },
    ): boolean {
      const own = [proxyUrl, `http://${callerHost}`, `https://${callerHost}`, ...addresses];
      return own.some((url) => hostOf(url) === hostOf(href));
    },
    /**
     * Converts an absolute upstream link in a proxied request's path to the path that callers use at the proxy, without
     * the link's query. Throws `invalid_request` if the link's host is not reachable through the proxy.
     */
    toPath(link: string, proxied: ProxiedAccount): string {
      const parts = split(link);
      const whole = parts && parts.origin + parts.path;
      if (whole?.startsWith(`${proxied.proxyUrl}/`)) return whole.slice(proxied.proxyUrl.length);
      const path = find(parts, proxied);
      if (path !== undefined) return path;
      throw new ServiceError(
        'invalid_request',
        'The path contains a link to a host that the proxy of this connection does not reach. Use a link from a response of this proxy.',
      );
    },
    /**
     * Converts a link that `toService` returned back to the original upstream link. Returns `undefined` for any other
     * link.
     */
    toUpstream(rewritten: string, proxied: ProxiedAccount): string | undefined {
      const { account, proxyUrl } = proxied;
      const connector = connectors.get(account.connector);
      if (connector === undefined || !rewritten.startsWith(`${proxyUrl}/`)) return undefined;
      const rest = rewritten.slice(proxyUrl.length);
      const mark = rest.indexOf('?');
      const [path, query] = mark === -1 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark)];
      const link = linkTo(connector, account, path);
      return link && link + withoutLabel(query, proxied);
    },
    /** Returns true if the proxied request is sent to the MCP server of the account's connector. */
    isMcp: (
      { connector }: Pick<LinkedAccount, 'connector'>,
      { host, path }: { readonly host?: string | undefined; readonly path: string },
    ): boolean => host === undefined && isMcpEndpoint(connectors.get(connector), path),
    /** Returns the names of the JSON members that contain links in upstream responses, as the connector lists them. */
    fieldsOf: ({ connector }: Pick<LinkedAccount, 'connector'>): readonly string[] =>
      connectors.get(connector)?.links?.fields ?? [],
  };
}

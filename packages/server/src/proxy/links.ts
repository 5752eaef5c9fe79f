import type { Connector, Route } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import { canonicalPath } from '../upstream/canonical-path.js';
import type { RoutedRequest } from './proxy-route.js';

type ReachedAccount = Pick<ResolvedAccount, 'connector' | 'baseUrl' | 'hosts'>;

/** An account, and the address of its proxy for callers. */
export interface ProxiedAccount {
  readonly account: ReachedAccount;
  /** URL of the account's proxy without a slash at its end, in the caller's own spelling. */
  readonly proxyUrl: string;
}

/** The host, path and query of a request to the upstream. */
export type RequestedTarget = Pick<RoutedRequest, 'host' | 'path' | 'query'>;

export type Links = ReturnType<typeof createLinks>;

interface Base {
  readonly host: string | undefined;
  readonly origin: string;
  /** Path without a slash at its end. */
  readonly path: string;
}

function baseOf(host: string | undefined, baseUrl: string): Base {
  const { origin, pathname } = new URL(baseUrl);
  return { host, origin, path: withoutLastSlashes(pathname) };
}

function basesOf({ hosts, proxy }: Connector, account: ReachedAccount): Base[] {
  const main = baseOf(undefined, account.baseUrl);
  // A proxy without routes reaches the main host alone.
  if (proxy === undefined) return [main];
  const others = Object.entries(hosts).map(([name, { baseUrl }]) =>
    baseOf(name, account.hosts[name] ?? baseUrl),
  );
  // One host may be below another, as in the sandbox: the longest base matches.
  return [main, ...others].sort((a, b) => b.path.length - a.path.length);
}

interface SplitLink {
  readonly origin: string;
  readonly path: string;
  readonly query: string;
}

/** Splits a link. Path and query keep their spelling, which the upstream may compare. */
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

/** Checks that a client stays inside the proxy of the account, and does not climb to another one with its token. */
function isCanonical(path: string): boolean {
  try {
    // MCP servers use %2f in the names of resources. An encoded slash alone cannot leave the path, even when it is decoded.
    canonicalPath(path.replace(/%2f/gi, '/'));
    return true;
  } catch {
    return false;
  }
}

const LOOPBACK =
  /^(?:(?:[^:[\]]+\.)?localhost|127\.[\d.]+|0\.0\.0\.0|\[(?:::1?|::ffff:7f[\da-f]{2}:[\da-f]{1,4})\])(?=:|$)/;

/** A dot at the end of a name is the same host, and so is every address of this machine. */
const hostOf = (url: string): string | undefined =>
  URL.parse(url)
    ?.host.replace(/\.(?=:|$)/, '')
    .replace(LOOPBACK, 'localhost');

/** Reverses what a route does to a path. */
function unroute({ path, to = path }: Pick<Route, 'path' | 'to'>, sent: string): string | undefined {
  const fits = to.endsWith('/') ? sent.startsWith(to) : sent === to;
  return fits ? path + sent.slice(to.length) : undefined;
}

function pathThrough(
  connector: Connector,
  account: ReachedAccount,
  { origin, path }: SplitLink,
): string | undefined {
  const base = basesOf(connector, account).find(
    (one) => one.origin === origin && path.startsWith(`${one.path}/`),
  );
  if (base === undefined) return undefined;
  const sent = path.slice(base.path.length);
  if (connector.proxy === undefined) return sent;
  for (const route of connector.proxy.routes) {
    const found = route.host === base.host ? unroute(route, sent) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The upstream link that a path of the proxy stands for. */
function linkTo(connector: Connector, account: ReachedAccount, path: string): string | undefined {
  const routes = connector.proxy?.routes ?? [{ path: '/' }];
  for (const route of routes) {
    const sent = unroute({ path: route.to ?? route.path, to: route.path }, path);
    const base = basesOf(connector, account).find(({ host }) => host === route.host);
    if (sent !== undefined && base) return base.origin + base.path + sent;
  }
  return undefined;
}

/**
 * Translates links between the upstream's own hosts, as far as the account's proxy reaches them, and the service. `addresses` are the
 * URLs of the service.
 */
export function createLinks(connectors: ReadonlyMap<string, Connector>, addresses: readonly string[]) {
  const find = (parts: SplitLink | undefined, { account }: ProxiedAccount): string | undefined => {
    const connector = connectors.get(account.connector);
    return parts && connector && pathThrough(connector, account, parts);
  };
  return {
    /** Rewrites an upstream link to the service; `undefined` when the proxy does not reach its target. */
    toService(link: string, proxied: ProxiedAccount): string | undefined {
      const parts = split(link);
      const path = find(parts, proxied);
      return path === undefined || !isCanonical(path)
        ? undefined
        : `${proxied.proxyUrl}${path}${parts?.query}`;
    },
    /** The upstream URL of a request, against which its response resolves relative references. */
    toUrl({ host, path, query }: RequestedTarget, { account }: ProxiedAccount): string | undefined {
      const connector = connectors.get(account.connector);
      const base = connector && basesOf(connector, account).find((one) => one.host === host);
      return base && `${base.origin}${base.path}${path}?${query}`;
    },
    /** Checks whether a URL leads to the service itself, by any of its addresses. `callerHost` is the header `Host` of the caller. */
    isOwn(
      { href }: URL,
      { proxyUrl, callerHost }: { readonly proxyUrl: string; readonly callerHost: string },
    ): boolean {
      const own = [proxyUrl, `http://${callerHost}`, `https://${callerHost}`, ...addresses];
      return own.some((url) => hostOf(url) === hostOf(href));
    },
    /** The path of the proxy that an absolute link stands for, without query. Throws invalid_request for another host. */
    toPath(link: string, proxied: ProxiedAccount): string {
      const parts = split(link);
      const whole = parts && parts.origin + parts.path;
      if (whole?.startsWith(`${proxied.proxyUrl}/`)) return whole.slice(proxied.proxyUrl.length);
      const path = find(parts, proxied);
      if (path !== undefined) return path;
      throw new ServiceError(
        'invalid_request',
        'The link does not lead to a host of this connection that its proxy reaches.',
      );
    },
    /** Reverses `toService`; `undefined` for a link that it did not produce. */
    toUpstream(rewritten: string, { account, proxyUrl }: ProxiedAccount): string | undefined {
      const connector = connectors.get(account.connector);
      if (connector === undefined || !rewritten.startsWith(`${proxyUrl}/`)) return undefined;
      const [path = '', ...query] = rewritten.slice(proxyUrl.length).split('?');
      const link = linkTo(connector, account, path);
      return link && [link, ...query].join('?');
    },
    /** Checks whether a request goes to the MCP server of the connector. */
    isMcp: (
      { connector }: Pick<ReachedAccount, 'connector'>,
      { host, path }: { readonly host?: string | undefined; readonly path: string },
    ): boolean => host === undefined && connectors.get(connector)?.mcp?.path.split('?', 1)[0] === path,
    /** Members of JSON responses that contain such links. */
    fieldsOf: ({ connector }: Pick<ReachedAccount, 'connector'>): readonly string[] =>
      connectors.get(connector)?.links?.fields ?? [],
  };
}

import type { Connector, Route } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import { canonicalPath } from '../upstream/canonical-path.js';
import type { RoutedRequest } from './proxy-route.js';

type Reached = Pick<ResolvedAccount, 'connector' | 'baseUrl' | 'hosts'>;

/** Where callers reach the proxy of an account. */
export interface LinkPlace {
  readonly account: Reached;
  /** A URL without a slash at its end, its path as the caller wrote it. */
  readonly place: string;
}

/** What was asked for at the upstream. */
export type AskedFor = Pick<RoutedRequest, 'host' | 'path' | 'query'>;

/** Links of the upstream's own hosts, which the account's proxy reaches, and their addresses at the service. */
export interface Links {
  /** The same at the service; `undefined` for one that does not lead there through the proxy. */
  toService(link: string, at: LinkPlace): string | undefined;
  /** The URL at the upstream that a reference of the answer is meant from. */
  toUrl(asked: AskedFor, at: LinkPlace): string | undefined;
  /** Whether a URL leads to the service itself, whichever address of it that is. `calledAs`: the `Host` of the caller. */
  isOwn(url: URL, at: { readonly place: string; readonly calledAs: string }): boolean;
  /** Path of the proxy that a link stands for, without query; throws invalid_request for one of other hosts. */
  toPath(link: string, at: LinkPlace): string;
  /** What `toService` made of a link, as it was; `undefined` for what it did not make. */
  toUpstream(led: string, at: LinkPlace): string | undefined;
  /** Whether a request goes to the MCP server of the connector. */
  isMcp(
    account: Pick<Reached, 'connector'>,
    to: { readonly host?: string | undefined; readonly path: string },
  ): boolean;
  /** Members of JSON answers that hold such links. */
  fieldsOf(account: Pick<Reached, 'connector'>): readonly string[];
}

interface Base {
  readonly host: string | undefined;
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
}

function baseOf(host: string | undefined, baseUrl: string): Base {
  const { origin, pathname } = new URL(baseUrl);
  return { host, origin, path: withoutLastSlashes(pathname) };
}

function basesOf({ hosts, proxy }: Connector, account: Reached): Base[] {
  const main = baseOf(undefined, account.baseUrl);
  // Without routes the proxy reaches nothing but the main host.
  if (proxy === undefined) return [main];
  const further = Object.entries(hosts).map(([name, { baseUrl }]) =>
    baseOf(name, account.hosts[name] ?? baseUrl),
  );
  // Hosts may lie below each other, as those of the sandbox do: the longest address is the one that is meant.
  return [main, ...further].sort((a, b) => b.path.length - a.path.length);
}

interface Split {
  readonly origin: string;
  readonly path: string;
  readonly query: string;
}

/** Path and query to the letter: whoever made the link may compare them so. */
function split(link: string): Split | undefined {
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

/** A client would climb from any other path to another account, or out of the proxy, and show its token there. */
function isCanonical(path: string): boolean {
  try {
    // MCP servers name resources so. It climbs nowhere by itself, whoever decodes it.
    canonicalPath(path.replace(/%2f/gi, '/'));
    return true;
  } catch {
    return false;
  }
}

// Names are of the same host with a dot at their end.
const hostOf = (url: string): string | undefined => URL.parse(url)?.host.replace(/\.(?=:|$)/, '');

/** What a route makes of a path, backwards. */
function unroute({ path, to = path }: Pick<Route, 'path' | 'to'>, sent: string): string | undefined {
  const fits = to.endsWith('/') ? sent.startsWith(to) : sent === to;
  return fits ? path + sent.slice(to.length) : undefined;
}

function pathThrough(connector: Connector, account: Reached, { origin, path }: Split): string | undefined {
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

/** Where a path of the proxy leads. */
function linkTo(connector: Connector, account: Reached, path: string): string | undefined {
  const routes = connector.proxy?.routes ?? [{ path: '/' }];
  for (const route of routes) {
    const sent = unroute({ path: route.to ?? route.path, to: route.path }, path);
    const base = basesOf(connector, account).find(({ host }) => host === route.host);
    if (sent !== undefined && base) return base.origin + base.path + sent;
  }
  return undefined;
}

/** Knows the links of the connectors, and the addresses of the service. */
export function createLinks(connectors: ReadonlyMap<string, Connector>, addresses: readonly string[]): Links {
  const find = (parts: Split | undefined, { account }: LinkPlace): string | undefined => {
    const connector = connectors.get(account.connector);
    return parts && connector && pathThrough(connector, account, parts);
  };
  return {
    toService(link, at) {
      const parts = split(link);
      const path = find(parts, at);
      return path === undefined || !isCanonical(path) ? undefined : `${at.place}${path}${parts?.query}`;
    },
    toUrl({ host, path, query }, { account }) {
      const connector = connectors.get(account.connector);
      const base = connector && basesOf(connector, account).find((one) => one.host === host);
      return base && `${base.origin}${base.path}${path}?${query}`;
    },
    isOwn({ href }, { place, calledAs }) {
      const own = [place, `http://${calledAs}`, `https://${calledAs}`, ...addresses];
      return own.some((url) => hostOf(url) === hostOf(href));
    },
    toPath(link, at) {
      const parts = split(link);
      const whole = parts && parts.origin + parts.path;
      if (whole?.startsWith(`${at.place}/`)) return whole.slice(at.place.length);
      const path = find(parts, at);
      if (path !== undefined) return path;
      throw new ServiceError(
        'invalid_request',
        'The link does not lead to a host of this connection that its proxy reaches.',
      );
    },
    toUpstream(led, { account, place }) {
      const connector = connectors.get(account.connector);
      if (connector === undefined || !led.startsWith(`${place}/`)) return undefined;
      const [path = '', ...query] = led.slice(place.length).split('?');
      const link = linkTo(connector, account, path);
      return link && [link, ...query].join('?');
    },
    isMcp: ({ connector }, { host, path }) =>
      host === undefined && connectors.get(connector)?.mcp?.path.split('?', 1)[0] === path,
    fieldsOf: ({ connector }) => connectors.get(connector)?.links?.fields ?? [],
  };
}

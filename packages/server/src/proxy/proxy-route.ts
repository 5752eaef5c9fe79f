import type { Connector, Route } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { canonicalPath } from '../upstream/canonical-path.js';
import { type ForwardRequest, LONG_RUNNING_MS, type ResolvedAccount } from '../upstream/forward.js';
import { checkedMethod, type MethodOverride, refuseMethodIn } from './method-override.js';

export interface ProxyRequest {
  readonly method: string;
  /** What it is to be taken as, by a header. */
  readonly override?: MethodOverride | undefined;
  /** As the caller wrote it. */
  readonly path: string;
  readonly query: string;
}

export interface RoutedRequest
  extends Pick<ForwardRequest, 'method' | 'host' | 'path' | 'query' | 'timeoutMs'> {
  /** Whether it goes to the host of an MCP server, whichever path that has. */
  readonly isToMcp: boolean;
}

/** What a request through the proxy becomes. Throws invalid_request or method_not_allowed when no route takes it. */
export type RouteProxy = (
  account: Pick<ResolvedAccount, 'connector'>,
  request: ProxyRequest,
) => RoutedRequest;

const isPrefix = ({ path }: Route) => path.endsWith('/');

// Compared as it will be sent: another spelling of a path is another path, and finds no route.
const takesPath = (route: Route, path: string) =>
  isPrefix(route) ? path.startsWith(route.path) : path === route.path;

const takesMethod = ({ methods }: Route, method: string) =>
  methods === undefined ||
  methods.some((taken) => taken === method || (taken === 'GET' && method === 'HEAD'));

const describe = (route: Route) =>
  `${route.methods?.join(', ') ?? 'any method'} ${route.path}${isPrefix(route) ? '…' : ''}`;

function findRoute(title: string, routes: readonly Route[], { method, path }: ProxyRequest): Route {
  const onPath = routes.filter((route) => takesPath(route, path));
  const found = onPath.find((route) => takesMethod(route, method));
  if (found) return found;
  const offered = `The proxy of ${title} takes ${routes.map(describe).join('; ')}.`;
  if (onPath.length > 0)
    throw new ServiceError('method_not_allowed', `${method} is not taken there. ${offered}`, {
      allow: [...new Set(onPath.flatMap(({ methods = [] }) => methods))],
    });
  throw new ServiceError('invalid_request', `No route fits the upstream path. ${offered}`);
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Renames parameters whose right names are absent; everything else stays byte for byte. */
function renameQuery(query: string, names: NonNullable<Route['query']>): string {
  const entries = query.split('&').map((text) => {
    const mark = text.indexOf('=');
    const name = mark === -1 ? text : text.slice(0, mark);
    return { name: decodeName(name), rest: text.slice(name.length), text };
  });
  const given = new Set(entries.map(({ name }) => name));
  return entries
    .map(({ name, rest, text }) => {
      const wanted = Object.hasOwn(names, name) ? names[name] : undefined;
      return wanted === undefined || given.has(wanted) ? text : encodeURIComponent(wanted) + rest;
    })
    .join('&');
}

/** The connector's routes, on the canonical path, so that what is checked is what is sent (rule P7). */
export const createProxyRouter =
  (connectors: ReadonlyMap<string, Connector>): RouteProxy =>
  ({ connector: id }, { method, override, path: given, query }) => {
    const connector = connectors.get(id);
    const checked = checkedMethod(method, override, connector);
    refuseMethodIn(query, connector);
    const speaksMcp = connector?.mcp !== undefined;
    if (connector?.proxy === undefined) return { method, path: given, query, isToMcp: speaksMcp };
    const path = canonicalPath(given);
    const route = findRoute(connector.title, connector.proxy.routes, { method: checked, path, query });
    return {
      method,
      host: route.host,
      path: (route.to ?? route.path) + path.slice(route.path.length),
      query: route.query === undefined ? query : renameQuery(query, route.query),
      timeoutMs: route.longRunning ? LONG_RUNNING_MS : undefined,
      isToMcp: speaksMcp && route.host === undefined,
    };
  };

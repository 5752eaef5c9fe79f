import type { Connector, Route } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import type { Timeouts } from '../http/send-http.js';
import { readAccept } from '../text/accept.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import { canonicalPath } from '../upstream/canonical-path.js';
import { createEncodedSlashes } from '../upstream/encoded-slashes.js';
import { type ForwardRequest, LONG_RUNNING_MS, STREAM_MS } from '../upstream/forward.js';
import { checkedMethod, type MethodOverride, refuseMethodIn } from './method-override.js';

export interface ProxyRequest {
  readonly method: string;
  /** Method override header of the proxied request, such as `X-HTTP-Method-Override`. */
  readonly override?: MethodOverride | undefined;
  /** Upstream path exactly as the caller spelled it, before it is canonicalized. */
  readonly path: string;
  readonly query: string;
  /** `Accept` header of the proxied request. */
  readonly accept?: string | undefined;
}

export interface RoutedRequest
  extends Pick<ForwardRequest, 'method' | 'host' | 'path' | 'query' | keyof Timeouts> {
  /** True if the request goes to the host of an MCP server, at any path. */
  readonly isToMcp: boolean;
}

/**
 * Returns true if an upstream path is the endpoint of the connector's MCP server, with or without a trailing slash.
 * Ignores the query of the endpoint's URL in the catalogue.
 */
export function isMcpEndpoint(connector: Connector | undefined, path: string): boolean {
  const endpoint = connector?.mcp?.path.split('?', 1)[0];
  return endpoint !== undefined && withoutLastSlashes(endpoint) === withoutLastSlashes(path);
}

export type RouteProxy = ReturnType<typeof createProxyRouter>;

const isPrefix = ({ path }: Route) => path.endsWith('/');

// Compares a route with the canonical path, which is also sent to the upstream. If that path still contains encoded
// characters, it is a different path, and only a prefix route may match it.
const takesPath = (route: Route, path: string) =>
  isPrefix(route) ? path.startsWith(route.path) : path === route.path;

const takesMethod = ({ methods }: Route, method: string) =>
  methods === undefined ||
  methods.some((taken) => taken === method || (taken === 'GET' && method === 'HEAD'));

const describe = (route: Route) =>
  `${route.methods?.join(', ') ?? 'any method on'} ${route.path}${isPrefix(route) ? '…' : ''}`;

function findRoute(title: string, routes: readonly Route[], { method, path }: ProxyRequest): Route {
  const onPath = routes.filter((route) => takesPath(route, path));
  const match = onPath.find((route) => takesMethod(route, method));
  if (match) return match;
  const offered = `The proxy of ${title} supports ${routes.map(describe).join('; ')}.`;
  if (onPath.length > 0)
    throw new ServiceError('method_not_allowed', `${method} is not supported on this path. ${offered}`, {
      allow: [...new Set(onPath.flatMap(({ methods = [] }) => methods))],
    });
  throw new ServiceError('invalid_request', `No route matches the upstream path. ${offered}`);
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * Renames query parameters of a proxied request as its route requires, unless the request already contains the new
 * name. All other bytes stay unchanged.
 */
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

/**
 * Returns true if the caller accepts an event stream. Its headers may arrive late, because some upstreams send them
 * with the first event.
 */
const wantsStream = (accept: string | undefined): boolean =>
  readAccept(accept).some(({ name, weight }) => name === 'text/event-stream' && weight > 0);

/**
 * Returns the timeouts of a proxied request. `isPatient`: the request is for an MCP endpoint or an event stream, so its
 * response headers may arrive as late as the stream timeout allows.
 */
const timeLimits = (isPatient: boolean, longRunning: boolean | undefined) => ({
  totalMs: isPatient ? STREAM_MS : longRunning ? LONG_RUNNING_MS : undefined,
  idleMs: longRunning ? LONG_RUNNING_MS : undefined,
  headersMs: isPatient ? STREAM_MS : undefined,
  streamMs: STREAM_MS,
});

/**
 * Creates the function that canonicalizes an upstream path. Each connector defines which encoded slashes its paths may
 * contain.
 */
export function createCanonicalPathOf(connectors: ReadonlyMap<string, Connector>) {
  const allowed = new Map(
    [...connectors].map(([id, each]) => [id, createEncodedSlashes(each.encodedSlashes)]),
  );
  return ({ connector }: Pick<ResolvedAccount, 'connector'>, path: string): string =>
    canonicalPath(path, allowed.get(connector));
}

export type CanonicalPathOf = ReturnType<typeof createCanonicalPathOf>;

export function createProxyRouter(connectors: ReadonlyMap<string, Connector>) {
  const canonicalPathOf = createCanonicalPathOf(connectors);
  /**
   * Selects the route of a proxied request by its canonical path. The checked path is also the path that is sent (rule
   * P7 in security-rules.md). Throws `invalid_request` if no route matches the path, and `method_not_allowed` if none
   * allows the method.
   */
  return function route(
    { connector: id }: Pick<ResolvedAccount, 'connector'>,
    { method, override, path: given, query, accept }: ProxyRequest,
  ): RoutedRequest {
    const connector = connectors.get(id);
    const checked = checkedMethod(method, override, connector);
    refuseMethodIn(query, connector);
    const speaksMcp = connector?.mcp !== undefined;
    if (connector?.proxy === undefined)
      return {
        method,
        path: given,
        query,
        isToMcp: speaksMcp,
        ...timeLimits(isMcpEndpoint(connector, given) || wantsStream(accept), false),
      };
    const path = canonicalPathOf({ connector: id }, given);
    const proxyRoute = findRoute(connector.title, connector.proxy.routes, { method: checked, path, query });
    const isToMcp = speaksMcp && proxyRoute.host === undefined;
    const isPatient = (isToMcp && isMcpEndpoint(connector, path)) || wantsStream(accept);
    return {
      method,
      host: proxyRoute.host,
      path: (proxyRoute.to ?? proxyRoute.path) + path.slice(proxyRoute.path.length),
      query: proxyRoute.query === undefined ? query : renameQuery(query, proxyRoute.query),
      isToMcp,
      ...timeLimits(isPatient, proxyRoute.longRunning),
    };
  };
}

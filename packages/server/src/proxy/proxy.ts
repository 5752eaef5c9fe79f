import type { ResolvedAccount } from '../connections/resolved-account.js';
import { asServiceError, ServiceError } from '../errors.js';
import type { ApiRequest } from '../front/api-request.js';
import type { LimitCalls } from '../front/limit-calls.js';
import { hasBody } from '../front/request-body.js';
import { countsCalls, type PresentedToken, presentedBy } from '../tokens/token-uses.js';
import type { Forward, ForwardRequest } from '../upstream/forward.js';
import type { BeginProxied } from './begin-proxied.js';
import type { CheckLimits } from './check-limits.js';
import type { EndIfRefused } from './end-if-refused.js';
import type { ProxiedAccount } from './links.js';
import type { Locate } from './locate.js';
import { restoreMcpHeaders } from './mcp-links.js';
import { readMethodOverride } from './method-override.js';
import { createBodyOpener, type ProxiedBodyOptions } from './proxied-body.js';
import { respond } from './proxied-response.js';
import type { RoutedRequest, RouteProxy } from './proxy-route.js';
import { acceptIdentity, type LinkContext, wantsOriginalLinks } from './rewrite-links.js';

export interface ProxyOptions extends ProxiedBodyOptions {
  readonly locate: Locate;
  readonly checkLimits: CheckLimits;
  readonly route: RouteProxy;
  readonly forward: Forward;
  readonly endIfRefused: EndIfRefused;
  readonly beginProxied: BeginProxied;
  readonly limitAccount: LimitCalls;
  /**
   * Marks a request with a body as an upload, so that it may exceed the usual request timeout while bytes keep
   * arriving. Implemented by listener/client-sockets.ts.
   */
  readonly expectUpload: (request: ApiRequest['request']) => void;
}

const NAMES_WEBSOCKET = /(?:^|,)\s*websocket\s*(?:\/|,|$)/i;

/**
 * Throws for WebSocket upgrades only. Other upgrades, such as to HTTP/2, are optional for the client and are ignored.
 */
function refuseWebSocket({ upgrade = '' }: ApiRequest['request']['headers']): void {
  if (!NAMES_WEBSOCKET.test(upgrade)) return;
  throw new ServiceError(
    'websockets_not_supported',
    'The proxy does not support WebSockets. Use the HTTP API of the upstream, or connect to it without the proxy.',
  );
}

// Returns true if the path is an absolute link with a leading slash, such as `/https://…`. An ordinary upstream path
// never contains `//`.
const isLink = (path: string): boolean => /^\/https?:\/\//i.test(path);

interface SentRequest extends Pick<ForwardRequest, 'trace'> {
  readonly routed: RoutedRequest;
  readonly context: LinkContext;
  readonly token: PresentedToken | undefined;
}

export function createProxy({
  locate,
  checkLimits,
  route,
  forward,
  endIfRefused,
  beginProxied,
  limitAccount,
  expectUpload,
  memory,
  limits,
  links,
}: ProxyOptions) {
  const bodyOpener = createBodyOpener({ memory, limits, links });

  function linkContextOf(
    { headers }: ApiRequest['request'],
    proxied: ProxiedAccount,
    routed: RoutedRequest,
  ): LinkContext {
    const preservesLinks = wantsOriginalLinks(headers);
    const isMcp = !preservesLinks && links.isMcp(proxied.account, routed);
    return { ...proxied, target: routed, callerHost: headers.host ?? '', preservesLinks, isMcp };
  }

  function headersFor(raw: readonly string[], context: LinkContext): readonly string[] {
    if (context.isMcp) return restoreMcpHeaders(acceptIdentity(raw), links, context);
    return context.preservesLinks || links.fieldsOf(context.account).length === 0 ? raw : acceptIdentity(raw);
  }

  function send(
    apiRequest: ApiRequest,
    account: ResolvedAccount,
    { routed, context, token, trace }: SentRequest,
  ) {
    const { request, signal } = apiRequest;
    const isOne = routed.isToMcp && token && countsCalls(token);
    return forward(account, {
      ...routed,
      headers: headersFor(request.rawHeaders, context),
      openBody: hasBody(request) ? bodyOpener(apiRequest, { path: routed.path, context, isOne }) : undefined,
      signal,
      trace,
    });
  }

  /** Forwards a request to the upstream with the credential of a connected account. */
  async function proxy(apiRequest: ApiRequest): Promise<void> {
    const { headers, request } = apiRequest;
    const { method = '' } = request;
    const isWithBody = hasBody(request);
    const execution = beginProxied.begin(apiRequest);
    let account: ResolvedAccount | undefined;
    try {
      refuseWebSocket(request.headers);
      const override = readMethodOverride(request.headers);
      if (isWithBody) expectUpload(request);
      const token = apiRequest.bearer && presentedBy(apiRequest.bearer, '/v1');
      const located = locate(apiRequest, token);
      const { path: requestedPath, query, proxyUrl, labelQuery } = located;
      account = located.account instanceof Promise ? await located.account : located.account;
      execution.setAccount(account);
      limitAccount(request, headers, account.id);
      const proxied = { account, proxyUrl, labelQuery };
      const path = isLink(requestedPath) ? links.toPath(requestedPath.slice(1), proxied) : requestedPath;
      execution.setPath(path);
      if (token || account.approve) {
        const methods = [method, override?.method ?? method];
        await checkLimits(request, { account, path, methods, token });
      }
      const { accept } = request.headers;
      const routed = route(account, { method, override, path, query, accept });
      const context = linkContextOf(request, proxied, routed);
      const response = await send(apiRequest, account, { routed, context, token, trace: execution.trace });
      const upstream =
        response.endAccess === undefined
          ? response
          : await endIfRefused(response, { connector: account.connector, method });
      try {
        respond(apiRequest, upstream, { execution, links, context });
      } catch (error) {
        // Releases the connection to the upstream and the call's slot in the limiter. Nobody reads this body any more.
        upstream.body.destroy();
        throw error;
      }
    } catch (error) {
      // Closes the connection after an error, because the unread bytes of the body would be parsed as the caller's next
      // request.
      if (isWithBody && !request.complete) headers['connection'] = 'close';
      if (account) execution.fail(asServiceError(error));
      else beginProxied.refuse(apiRequest, execution, error);
      throw error;
    }
  }

  return proxy;
}

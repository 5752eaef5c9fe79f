import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.js';
import type { ApiRequest } from '../front/api-request.js';
import { type LimitCalls, limitBearers, limitCalls } from '../front/limit-calls.js';
import { createServe } from '../front/serve-api-request.js';
import { serviceHeaders } from '../listener/error-reply.js';
import { createAddressOf } from '../listener/networks.js';
import { createChallenge } from '../mcp/challenges.js';
import { createBeginProxied, type NameRequest, nameByPath, nameByToken } from '../proxy/begin-proxied.js';
import { createCheckLimits } from '../proxy/check-limits.js';
import { createEndIfRefused } from '../proxy/end-if-refused.js';
import { createLinks } from '../proxy/links.js';
import { createLocateByPath, createLocateByToken, type Locate } from '../proxy/locate.js';
import { createProxy } from '../proxy/proxy.js';
import { createCanonicalPathOf, createProxyRouter } from '../proxy/proxy-route.js';
import { createIds } from '../text/random.js';
import { createExecuteEndpoint, type ExecuteEndpointParts } from '../tools/execute-endpoint.js';
import type { Calls } from './calls.js';
import type { HotRoutes } from './choose-hot-route.js';
import { createMcp } from './mcp.js';
import type { Service } from './service.js';

const TOOL_PATH = '/tools/:toolName/execute';
const OPERATED = '/operator/v1/applications/:applicationId';

interface HotRoutesParts {
  readonly config: Config;
  readonly version: string;
  readonly calls: Calls;
  /**
   * Reports that the service is about to read a large request body, whose upload may take longer than the usual request
   * timeout. Implemented by listener/client-sockets.ts.
   */
  readonly expectUpload: (request: ApiRequest['request']) => void;
  readonly checks: ExecuteEndpointParts['checks'];
}

interface ProxyParts extends Pick<HotRoutesParts, 'config' | 'calls' | 'expectUpload'> {
  readonly limitAccount: LimitCalls;
}

/**
 * Returns a function that creates a proxy. The proxy finds the account of each request by its path or its token, as
 * `locate` decides.
 */
function createProxies(
  { core, catalog }: Service['parts'],
  { config, calls, limitAccount, expectUpload }: ProxyParts,
) {
  const { connectors } = catalog;
  const { environmentUrl, proxyAddress } = config;
  const { beginExecution, forward, limits, memory } = calls;
  const route = createProxyRouter(connectors);
  const canonicalPathOf = createCanonicalPathOf(connectors);
  const links = createLinks(connectors, [
    environmentUrl,
    ...(proxyAddress ? [proxyAddress.url, `http://localhost:${proxyAddress.port}`] : []),
    `http://localhost:${config.port}`,
  ]);
  return function createProxyFor(locate: Locate, nameRequest: NameRequest) {
    const beginProxied = createBeginProxied(beginExecution, nameRequest);
    const work = createProxy({
      locate,
      checkLimits: createCheckLimits(core.tokenUses, canonicalPathOf),
      route,
      links,
      forward,
      endIfRefused: createEndIfRefused(connectors),
      beginProxied,
      limitAccount,
      memory,
      expectUpload,
      limits,
    });
    const refused = (apiRequest: ApiRequest, error: unknown) =>
      beginProxied.refuse(apiRequest, beginProxied.begin(apiRequest), error);
    return { work, refused };
  };
}

/** Advice in errors of the MCP endpoint: says which tokens it accepts. */
const MCP_ADVICE =
  'Send a token from POST /v1/agent-tokens in the header "Authorization: Bearer <token>". Or use /mcp/apps/{applicationId}, where an MCP client can sign in its user.';

/**
 * Returns the advice in errors of the proxy port, which says which tokens the port accepts. A client of the API may use
 * this port by mistake.
 */
const adviceOfProxyPort = (environmentUrl: string): string =>
  `This is the proxy port, which sends requests to upstreams. Send an account token from POST /v1/account-tokens. The API of the service is at ${environmentUrl}.`;

/**
 * Creates the hot routes (proxy, tool calls and MCP), which bypass Fastify because applications call them most often.
 */
export function createHotRoutes(
  service: Service,
  { config, version, calls, expectUpload, checks }: HotRoutesParts,
) {
  const { parts, log, idempotencyKeys, rateLimits } = service;
  const { core, callers, catalog } = parts;
  const { origins, resolve, signIn, tokenUses } = core;
  const { dryRun, execute, memory, recordRefused } = calls;
  const { environmentUrl, proxyAddress } = config;
  const { serve, serveIdentified } = createServe({
    log,
    headers: serviceHeaders(environmentUrl, version),
    callers,
    signIn,
    origins,
    limitBearer: limitBearers(rateLimits),
    addressOf: createAddressOf(config.trustedProxies),
    newRequestId: createIds('req', randomBytes),
    recordFailure: service.failedRequests.record,
  });
  const limitAccount = limitCalls(rateLimits.account);
  const createProxyFor = createProxies(parts, { config, calls, limitAccount, expectUpload });
  const mcp = createMcp(service, { calls, config, version, limitAccount, expectUpload });
  const executeTool = createExecuteEndpoint({
    catalog,
    checks,
    execute,
    recordRefused,
    dryRun,
    tokenUses,
    limitAccount,
    charge: rateLimits.application.charge,
    idempotencyKeys,
    memory,
    expectUpload,
  });
  const byPath = createLocateByPath({ serviceUrl: environmentUrl, resolve, tokenUses });
  const byToken = createLocateByToken({ resolve, tokenUses, proxyUrl: proxyAddress?.url ?? '' });
  const hot: HotRoutes = {
    proxy: serve('/v1/proxy/*', createProxyFor(byPath, nameByPath)),
    proxyPortRequest: serve('proxy port /*', createProxyFor(byToken, nameByToken), {
      advice: adviceOfProxyPort(environmentUrl),
    }),
    proxyPort: proxyAddress?.port,
    tool: serve(`/v1${TOOL_PATH}`, executeTool),
    mcp: serve('/mcp', mcp, { challenge: createChallenge(environmentUrl), advice: MCP_ADVICE }),
  };
  return { hot, operatedTool: serveIdentified(`${OPERATED}${TOOL_PATH}`, executeTool.work) };
}

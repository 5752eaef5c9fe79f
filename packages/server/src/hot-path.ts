import { randomBytes } from 'node:crypto';
import { answerHeaders } from './error-reply.js';
import type { FrontParts } from './hot/front.js';
import { limitBearers, limitCalls } from './hot/limit-calls.js';
import { createLocateByPath, createLocateByToken, type Locate, type LocateParts } from './hot/locate.js';
import { createProxy, type ProxyParts } from './hot/proxy.js';
import { createServe } from './hot/serve.js';
import { createTool, type ToolParts } from './hot/tool.js';
import type { Log } from './log.js';
import { createChallenge, createMcp, type McpParts } from './mcp/mcp.js';
import { createAddressOf } from './networks.js';
import { createIds } from './random.js';
import type { TailParts } from './tail.js';
import type { RateLimits } from './tenants/rate-limits.js';
import { createLinks } from './upstream/links.js';
import { createProxyRouter } from './upstream/proxy-route.js';

type OwnParts = Omit<
  ProxyParts & ToolParts & LocateParts & Pick<McpParts, 'idempotency'>,
  'route' | 'links' | 'limitAccount' | 'locate' | 'serviceUrl'
>;

export interface HotPathParts extends TailParts, OwnParts {
  readonly log: Log;
  readonly rateLimits: RateLimits;
}

/** What answers the calls that applications make all the time. */
export function createHotPath(parts: HotPathParts): FrontParts {
  const { authorization, callers, catalog, config, log, rateLimits } = parts;
  const serve = createServe({
    log,
    headers: answerHeaders(config.environmentUrl),
    callers,
    signIn: authorization.signIn,
    origins: authorization.origins,
    limitBearer: limitBearers(rateLimits),
    addressOf: createAddressOf(config.trustedProxies),
    newRequestId: createIds('req', randomBytes),
  });
  const route = createProxyRouter(catalog.connectors);
  const links = createLinks(catalog.connectors, [config.environmentUrl, config.proxyAddress?.url ?? '']);
  const limitAccount = limitCalls(rateLimits.account);
  const createWay = (locate: Locate) => createProxy({ ...parts, route, links, limitAccount, locate });
  const { environmentUrl } = config;
  const mcp = createMcp({
    ...parts,
    ...authorization,
    limitAccount,
    environmentUrl,
    random: randomBytes,
    waitMs: config.agentWait * 1000,
  });
  return {
    proxy: serve(
      '/v1/proxy/*',
      createWay(createLocateByPath({ ...parts, serviceUrl: config.environmentUrl })),
    ),
    addressed: serve('SVC_PROXY_URL', createWay(createLocateByToken(parts, config.proxyAddress?.url ?? ''))),
    proxyPort: config.proxyAddress?.port,
    tool: serve('/v1/tools/:toolName/execute', createTool({ ...parts, limitAccount })),
    mcp: serve('/mcp', mcp, createChallenge(environmentUrl)),
  };
}

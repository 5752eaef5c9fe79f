import { randomBytes } from 'node:crypto';
import { limitBearers, limitCalls } from '../front/limit-calls.js';
import { createServe } from '../front/serve-call.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { serviceHeaders } from '../listener/error-reply.js';
import { createAddressOf } from '../listener/networks.js';
import type { Log } from '../log/log.js';
import { createChallenge, createMcp, type McpParts } from '../mcp/mcp.js';
import { createLinks } from '../proxy/links.js';
import {
  createLocateByPath,
  createLocateByToken,
  type Locate,
  type LocateByTokenOptions,
} from '../proxy/locate.js';
import { createProxy, type ProxyOptions } from '../proxy/proxy.js';
import { createProxyRouter } from '../proxy/proxy-route.js';
import { createIds } from '../random.js';
import { createTool, type ToolParts } from '../tools/tool.js';
import type { FrontParts } from './front.js';
import type { TailParts } from './tail.js';

type OwnParts = Omit<
  ProxyOptions & ToolParts & LocateByTokenOptions & Pick<McpParts, 'idempotency'>,
  'route' | 'links' | 'limitAccount' | 'locate' | 'proxyUrl'
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
    headers: serviceHeaders(config.environmentUrl),
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
    addressed: serve(
      'SVC_PROXY_URL',
      createWay(createLocateByToken({ ...parts, proxyUrl: config.proxyAddress?.url ?? '' })),
    ),
    proxyPort: config.proxyAddress?.port,
    tool: serve('/v1/tools/:toolName/execute', createTool({ ...parts, limitAccount })),
    mcp: serve('/mcp', mcp, createChallenge(environmentUrl)),
  };
}

import { randomBytes } from 'node:crypto';
import { answerHeaders } from './error-reply.js';
import { limitCalls } from './hot/limit-calls.js';
import { createProxy, type ProxyParts } from './hot/proxy.js';
import { createServe, type Serve } from './hot/serve.js';
import type { Log } from './log.js';
import { createAddressOf } from './networks.js';
import { createIds } from './random.js';
import type { TailParts } from './tail.js';
import type { RateLimits } from './tenants/rate-limits.js';
import { createProxyRouter } from './upstream/proxy-route.js';

export interface HotPathParts extends TailParts, Omit<ProxyParts, 'route' | 'limitAccount'> {
  readonly log: Log;
  readonly rateLimits: RateLimits;
}

/** What answers the calls that applications make all the time. */
export function createHotPath(parts: HotPathParts): { readonly proxy: Serve } {
  const { authorization, callers, catalog, config, log, rateLimits } = parts;
  const serve = createServe({
    log,
    headers: answerHeaders(config.environmentUrl),
    callers,
    signIn: authorization.signIn,
    limitApplication: limitCalls(rateLimits.application),
    addressOf: createAddressOf(config.trustedProxies),
    newRequestId: createIds('req', randomBytes),
  });
  const route = createProxyRouter(catalog.connectors);
  return {
    proxy: serve(
      '/v1/proxy/*',
      createProxy({ ...parts, route, limitAccount: limitCalls(rateLimits.account) }),
    ),
  };
}

import { checkProxied } from '../connections/approval-policy.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import type { ApiRequest } from '../front/api-request.js';
import { hasBody } from '../front/request-body.js';
import { isReading, type Proxied } from '../tokens/proxy-limits.js';
import type { PresentedToken, TokenUses } from '../tokens/token-uses.js';
import { batchForm } from './batch.js';
import type { CanonicalPathOf } from './proxy-route.js';

interface LimitedRequest extends Pick<Proxied, 'methods' | 'path'> {
  readonly account: ResolvedAccount;
  readonly token: PresentedToken | undefined;
}

/**
 * Collects the properties of a proxied request that token limits and approval policies check. `path`: canonical
 * upstream path.
 */
function toProxied(
  request: ApiRequest['request'],
  { methods, path }: Pick<Proxied, 'methods' | 'path'>,
): Proxied {
  const isEmpty = isReading({ methods, isBatch: false }) && !hasBody(request);
  return { methods, path, isBatch: !isEmpty && batchForm(request.headers, path) !== undefined };
}

export function createCheckLimits(
  tokenUses: Pick<TokenUses, 'checkAndCount'>,
  canonicalPathOf: CanonicalPathOf,
) {
  /** Checks a request against the account's approval policy and against the limits of the caller's token. */
  return async function checkLimits(
    request: ApiRequest['request'],
    { account, path, methods, token }: LimitedRequest,
  ): Promise<void> {
    const proxied = toProxied(request, { methods, path: canonicalPathOf(account, path) });
    checkProxied(account.approve, { ...proxied, connectionName: account.connectionName });
    if (token) await tokenUses.checkAndCount(token, { account, proxied });
  };
}

export type CheckLimits = ReturnType<typeof createCheckLimits>;

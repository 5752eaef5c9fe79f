import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';
import { BURST_SECONDS, burstOf, type Rate, type RateLimiter, type Taken } from '../limits/rate-limiter.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import type { TokenChain } from '../tokens/token-chain.js';
import { identifierOf } from '../tokens/token-limits.js';
import type { ResponseHeaders } from './api-request.js';

/**
 * Counts a call in a rate limit, and writes the number of remaining calls into the response headers. Throws
 * `rate_limited` if none remain.
 */
export type LimitCalls<Key = string> = (
  request: Pick<IncomingMessage, 'headers'>,
  headers: ResponseHeaders,
  key: Key,
) => void;

/**
 * Names of the rate-limit headers in draft-ietf-httpapi-ratelimit-headers-11. Each header lists one item per rate
 * limit.
 */
export const RATE_HEADERS = ['ratelimit-policy', 'ratelimit'] as const;

// Maximum size in bytes of the body of a refused request that the service reads and drops. If the body is larger, the
// service closes the connection, because reading it would cost too much.
const SMALL_BYTES = 64 * 1024;

function hasLargeBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES;
}

const tooMany = ({ name, perSecond }: Rate, { seconds }: Taken): ServiceError =>
  new ServiceError(
    'rate_limited',
    `This ${name} exceeded ${perSecond} calls per second. Nothing ran. Retry in ${seconds} s.`,
    { retryAfter: seconds, limit: name },
  );

const joined = (before: ResponseHeaders[string], item: string): string =>
  before === undefined ? item : `${before}, ${item}`;

export function limitCalls({ rate, take }: Pick<RateLimiter, 'rate' | 'take'>): LimitCalls {
  const policy = `"${rate.name}";q=${burstOf(rate)};w=${BURST_SECONDS}`;
  return function limitCall(request, headers, key) {
    const taken = take(key);
    const left = `"${rate.name}";r=${taken.remaining};t=${taken.seconds}`;
    headers['ratelimit-policy'] = joined(headers['ratelimit-policy'], policy);
    headers['ratelimit'] = joined(headers['ratelimit'], left);
    if (taken.isAllowed) return;
    if (hasLargeBody(request)) headers['connection'] = 'close';
    throw tooMany(rate, taken);
  };
}

// Returns the user for the rate limit. The identifier is encoded as JSON, because it may contain characters that a
// database cannot store.
const userOf = ({ links, id }: TokenChain): string => JSON.stringify(identifierOf(links) ?? id);

/**
 * Creates the function that counts a call in the rate limits of its user and its application. The user's limit is
 * counted first, so that a call beyond it does not use up the application's limit.
 */
export function limitBearers({
  user,
  application,
}: Pick<RateLimits, 'user' | 'application'>): LimitCalls<Bearer> {
  const limitUser = limitCalls(user);
  const limitApplication = limitCalls(application);
  return function limitBearer(request, headers, { applicationId, token }) {
    if (token) limitUser(request, headers, `${applicationId} ${userOf(token)}`);
    limitApplication(request, headers, applicationId);
  };
}

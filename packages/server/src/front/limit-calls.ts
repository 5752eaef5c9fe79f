import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';
import { BURST_SECONDS, burstOf, type Rate, type RateLimiter, type Taken } from '../limits/rate-limiter.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import type { TokenChain } from '../tokens/token-chain.js';
import { identifierOf } from '../tokens/token-limits.js';
import type { AnswerHeaders } from './call.js';

/** Counts a call and says so in the headers of its answer. Throws rate_limited. */
export type LimitCalls<Key = string> = (
  request: Pick<IncomingMessage, 'headers'>,
  answered: AnswerHeaders,
  key: Key,
) => void;

/** The headers of draft-ietf-httpapi-ratelimit-headers-11: lists of structured fields. */
export const RATE_HEADERS = ['ratelimit-policy', 'ratelimit'] as const;

// A small body that nobody reads is soon over; a large one would cost as much as an answer.
const SMALL_BYTES = 64 * 1024;

function hasLargeBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES;
}

const tooMany = ({ name, perSecond }: Rate, { seconds }: Taken): ServiceError =>
  new ServiceError(
    'rate_limited',
    `There were more than ${perSecond} calls a second of this ${name}; nothing ran. Try again in ${seconds} s.`,
    { retryAfter: seconds, limit: name },
  );

const joined = (before: AnswerHeaders[string], item: string): string =>
  before === undefined ? item : `${before}, ${item}`;

export function limitCalls({ rate, take }: RateLimiter): LimitCalls {
  const policy = `"${rate.name}";q=${burstOf(rate)};w=${BURST_SECONDS}`;
  return (request, answered, key) => {
    const taken = take(key);
    const left = `"${rate.name}";r=${taken.remaining};t=${taken.seconds}`;
    answered['ratelimit-policy'] = joined(answered['ratelimit-policy'], policy);
    answered['ratelimit'] = joined(answered['ratelimit'], left);
    if (taken.isAllowed) return;
    if (hasLargeBody(request)) answered['connection'] = 'close';
    throw tooMany(rate, taken);
  };
}

// As JSON every text can be kept in every database.
const userOf = ({ links, id }: TokenChain): string => JSON.stringify(identifierOf(links) ?? id);

/** Counts a call for its application, and first for the user whose token it shows: a call too many costs nobody else. */
export function limitBearers({
  user,
  application,
}: Pick<RateLimits, 'user' | 'application'>): LimitCalls<Bearer> {
  const limitUser = limitCalls(user);
  const limitApplication = limitCalls(application);
  return (request, answered, { applicationId, token }) => {
    if (token) limitUser(request, answered, `${applicationId} ${userOf(token)}`);
    limitApplication(request, answered, applicationId);
  };
}

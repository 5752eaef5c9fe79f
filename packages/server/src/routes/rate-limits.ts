import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { BURST_SECONDS, burstOf, type Rate, type RateLimiter, type Taken } from '../tenants/rate-limiter.js';

/** Counts a call and says so in the answer. Throws rate_limited. */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply, key: string) => void;

/** The headers of draft-ietf-httpapi-ratelimit-headers-11: lists of structured fields. */
export const RATE_HEADERS = ['ratelimit-policy', 'ratelimit'] as const;

// A small body that nobody reads is soon over; a large one would cost as much as an answer.
const SMALL_BYTES = 64 * 1024;

function hasLargeBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES;
}

const tooMany = ({ name, perSecond }: Rate, { seconds }: Taken): ServiceError =>
  new ServiceError(
    'rate_limited',
    `There were more than ${perSecond} calls a second of this ${name}; nothing ran. Try again in ${seconds} s.`,
    { retryAfter: seconds, limit: name },
  );

const joined = (reply: FastifyReply, name: string, item: string): string => {
  const before = reply.getHeader(name);
  return before === undefined ? item : `${String(before)}, ${item}`;
};

export function limitRate({ rate, take }: RateLimiter): LimitRate {
  const policy = `"${rate.name}";q=${burstOf(rate)};w=${BURST_SECONDS}`;
  return (request, reply, key) => {
    const taken = take(key);
    const left = `"${rate.name}";r=${taken.remaining};t=${taken.seconds}`;
    reply.header('ratelimit-policy', joined(reply, 'ratelimit-policy', policy));
    reply.header('ratelimit', joined(reply, 'ratelimit', left));
    if (taken.isAllowed) return;
    if (hasLargeBody(request)) reply.header('connection', 'close');
    throw tooMany(rate, taken);
  };
}

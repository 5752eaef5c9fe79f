import { networkOf } from '../listener/networks.js';
import { createRateLimiter, type RateLimiter, type Sharing } from './rate-limiter.js';

/** Limits that an operator sets, in calls per second. */
export interface Rates {
  readonly application: number;
  readonly user: number;
  readonly account: number;
  readonly address: number;
}

/** Rate limits of calls (rule A9). */
export interface RateLimits {
  /** Keyed by application id. */
  readonly application: RateLimiter;
  /** Keyed by bearer of a narrowed token, so that one user cannot use up the application's limit. */
  readonly user: RateLimiter;
  /** Keyed by account id. */
  readonly account: RateLimiter;
  /** Keyed by IP address of anonymous callers, in this process only. An IPv6 network counts as one. */
  readonly address: RateLimiter;
}

export interface RateLimitsParts {
  readonly rates: Rates;
  readonly now: () => number;
  readonly sharing?: Sharing | undefined;
}

export function createRateLimits({ rates, now, sharing }: RateLimitsParts): RateLimits {
  const create = (name: keyof Rates, shared?: Sharing) =>
    createRateLimiter({ rate: { name, perSecond: rates[name] }, now, sharing: shared });
  const address = create('address');
  return {
    application: create('application', sharing),
    user: create('user', sharing),
    account: create('account', sharing),
    address: {
      rate: address.rate,
      take: (from) => address.take(networkOf(from)),
      isUsedUp: (from) => address.isUsedUp(networkOf(from)),
    },
  };
}

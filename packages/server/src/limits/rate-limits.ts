import { networkOf } from '../listener/networks.js';
import { createRateLimiter, type RateLimiter, type Sharing } from './rate-limiter.js';

/** Limits that an operator sets, in calls per second. */
export interface Rates {
  readonly application: number;
  readonly user: number;
  readonly account: number;
  readonly address: number;
}

/** Rate limiters of the service (rule A9). */
export interface RateLimits {
  /** Limits all calls of one application. The key is its id. */
  readonly application: RateLimiter;
  /**
   * Limits calls with one narrowed token, so that one user cannot use up the limit of the application. The key is the
   * user of the token, or the token.
   */
  readonly user: RateLimiter;
  /** Limits calls for one connected account. The key is its id. */
  readonly account: RateLimiter;
  /**
   * Limits anonymous callers by IP address, in this process only. All addresses of an IPv6 /64 network share one key.
   */
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

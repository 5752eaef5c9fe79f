import { networkOf } from '../listener/networks.js';
import { createRateLimiter, type RateLimiter, type Sharing } from './rate-limiter.js';

/** Rate limits of the settings, in calls per second. */
export interface Rates {
  readonly application: number;
  readonly user: number;
  readonly account: number;
  readonly address: number;
}

/** All rate limiters of the service (rule A9 in security-rules.md). */
export interface RateLimits {
  /** Limits the calls of each application. The key is the application id. */
  readonly application: RateLimiter;
  /**
   * Limits calls with narrowed tokens, so that one user cannot use up the limit of the application. The key is the user
   * of the token, or the token id if it has no user.
   */
  readonly user: RateLimiter;
  /** Limits the calls for each connected account. The key is the account id. */
  readonly account: RateLimiter;
  /**
   * Limits unauthenticated requests by client IP address, in this process only. All addresses of an IPv6 /64 network
   * share one key.
   */
  readonly address: Omit<RateLimiter, 'charge'>;
}

export interface RateLimitsParts {
  readonly rates: Rates;
  readonly now: () => number;
  readonly sharing?: Sharing | undefined;
  readonly onRefused?: ((limit: string) => void) | undefined;
}

export function createRateLimits({ rates, now, sharing, onRefused }: RateLimitsParts): RateLimits {
  const create = (name: keyof Rates, shared?: Sharing) =>
    createRateLimiter({ rate: { name, perSecond: rates[name] }, now, sharing: shared, onRefused });
  const address = create('address');
  return {
    application: create('application', sharing),
    user: create('user', sharing),
    account: create('account', sharing),
    address: {
      rate: address.rate,
      take: (from) => address.take(networkOf(from)),
      isUsedUp: (from) => address.isUsedUp(networkOf(from)),
      counts: address.counts,
    },
  };
}

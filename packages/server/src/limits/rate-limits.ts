import { networkOf } from '../listener/networks.js';
import { createRateLimiter, type RateLimiter, type Sharing } from './rate-limiter.js';

/** What an operator allows, in calls a second. */
export interface Rates {
  readonly application: number;
  readonly user: number;
  readonly account: number;
  readonly address: number;
}

/** Rule A9: how often who may call. */
export interface RateLimits {
  /** By the id of the application. */
  readonly application: RateLimiter;
  /** By who holds a token that an application gave away: one of many users is not to use up what the application has. */
  readonly user: RateLimiter;
  /** By the id of the account. */
  readonly account: RateLimiter;
  /** By the address of somebody who is not signed in; a network of IPv6 counts as one. In this process alone. */
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

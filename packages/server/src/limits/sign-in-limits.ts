import { hash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { networkOf } from '../listener/networks.js';
import { createFailureCounts, type FailureCounts } from '../records/failure-counts.js';

export interface SignIn {
  /** Who the caller says it is, such as a client id: true or invented. */
  readonly name: string;
  readonly address: string;
}

/** Rule A8: failed sign-ins are limited per name and per address. Counted in this process alone. */
export interface SignInLimits {
  /**
   * For what is slow to verify: a try counts before it begins, so that of many at once no more are verified than one
   * after another. Throws rate_limited, without verifying, after too many failures.
   */
  attempt<T>(who: SignIn, verify: () => Promise<T>): Promise<T>;
  /** For what is verified at once: counts its failure, and gives the error or, after too many, rate_limited. */
  refuse(who: Partial<SignIn> & Pick<SignIn, 'address'>, error: unknown): unknown;
  /** Throws rate_limited when this address has failed for the name, and the name has failed too often. */
  check(who: SignIn): void;
}

const PER_NAME = 10;
const PER_ADDRESS = 30;

const tooMany = (retryAfter: number) =>
  new ServiceError('rate_limited', `Too many sign-ins have failed; try again in ${retryAfter} s.`, {
    retryAfter,
  });

const isFailure = (error: unknown) => error instanceof ServiceError && error.code === 'unauthorized';

export function createSignInLimits({ now }: { readonly now: () => number }): SignInLimits {
  const ofNames = createFailureCounts({ limit: PER_NAME, now });
  const ofAddresses = createFailureCounts({ limit: PER_ADDRESS, now });
  // Who guesses at one name from here has to wait; the owner of the name, who is elsewhere, must not.
  const ofPairs = createFailureCounts({ limit: 1, now });

  function keysOf({ name, address }: SignIn) {
    const network = networkOf(address);
    return { name: hash('sha256', name), network, pair: hash('sha256', `${network} ${name}`) };
  }

  type Keys = ReturnType<typeof keysOf>;

  // An address that has not failed for the name may try it once, however often others have failed.
  const waitOfName = ({ name, pair }: Keys) =>
    ofPairs.retryAfter(pair) === undefined ? undefined : ofNames.retryAfter(name);

  const each = <T>({ name, network, pair }: Keys, work: (counts: FailureCounts, key: string) => T): T[] => [
    work(ofNames, name),
    work(ofPairs, pair),
    work(ofAddresses, network),
  ];
  const add = (keys: Keys) => each(keys, (counts, key) => counts.add(key));
  const reserve = (keys: Keys) => each(keys, (counts, key) => counts.reserve(key));

  const orTooMany = (error: unknown, wait: number | undefined) =>
    isFailure(error) && wait !== undefined ? tooMany(wait) : error;

  return {
    attempt: async (who, verify) => {
      const keys = keysOf(who);
      const wait = ofAddresses.retryAfter(keys.network) ?? waitOfName(keys);
      if (wait !== undefined) throw tooMany(wait);
      const waitAfter = ofNames.retryAfter(keys.name);
      const reserved = reserve(keys);
      try {
        return await verify();
      } catch (error) {
        if (isFailure(error)) add(keys);
        throw orTooMany(error, waitAfter);
      } finally {
        for (const release of reserved) release();
      }
    },

    refuse: ({ name, address }, error) => {
      if (!isFailure(error)) return error;
      const network = networkOf(address);
      const ofAddress = ofAddresses.retryAfter(network);
      if (name === undefined) {
        ofAddresses.add(network);
        return orTooMany(error, ofAddress);
      }
      const keys = keysOf({ name, address });
      const wait = ofAddress ?? ofNames.retryAfter(keys.name);
      add(keys);
      return orTooMany(error, wait);
    },

    check: (who) => {
      const wait = waitOfName(keysOf(who));
      if (wait !== undefined) throw tooMany(wait);
    },
  };
}

import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../errors.js';
import { createFailureCounts } from './failure-counts.js';

export interface SignIn {
  /** Who the caller says it is, such as a client id: true or invented. */
  readonly name: string;
  readonly address: string;
}

/** Rule A8: failed sign-ins are limited per name and per address. Counted in this process alone. */
export interface SignInLimits {
  /** Gives what `verify` gives. Throws rate_limited in the place of `unauthorized` when there were too many failures. */
  attempt<T>(who: SignIn, verify: () => Promise<T>): Promise<T>;
  /** The error of a failure without a name: `unauthorized` itself, or rate_limited when there were too many. */
  refuse(address: string, error: unknown): unknown;
}

const PER_NAME = 10;
const PER_ADDRESS = 30;
const NETWORK_BITS = 64;

const tooMany = (retryAfter: number) =>
  new ServiceError('rate_limited', `Too many sign-ins have failed; try again in ${retryAfter} s.`, {
    retryAfter,
  });

const isFailure = (error: unknown) => error instanceof ServiceError && error.code === 'unauthorized';

/** Whom an address is counted for: a host of IPv6 has a whole network to choose its addresses from. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${NETWORK_BITS}`).toString();
}

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
  const waitBefore = ({ name, network, pair }: Keys) =>
    ofAddresses.retryAfter(network) ??
    (ofPairs.retryAfter(pair) === undefined ? undefined : ofNames.retryAfter(name));
  const waitAfter = ({ name, network }: Keys) => ofAddresses.retryAfter(network) ?? ofNames.retryAfter(name);

  function check(keys: Keys): void {
    const wait = waitBefore(keys);
    if (wait !== undefined) throw tooMany(wait);
  }

  function refuseCounted(keys: Keys, error: unknown): unknown {
    if (!isFailure(error)) return error;
    const wait = waitAfter(keys);
    ofNames.add(keys.name);
    ofPairs.add(keys.pair);
    ofAddresses.add(keys.network);
    return wait === undefined ? error : tooMany(wait);
  }

  return {
    attempt: async (who, verify) => {
      const keys = keysOf(who);
      check(keys);
      const verified = await verify().catch((error: unknown) => {
        throw refuseCounted(keys, error);
      });
      // Once more: of many guesses at the same time, a right one after too many wrong ones is not told.
      check(keys);
      return verified;
    },
    refuse: (address, error) => {
      if (!isFailure(error)) return error;
      const network = networkOf(address);
      const wait = ofAddresses.retryAfter(network);
      if (wait === undefined) ofAddresses.add(network);
      return wait === undefined ? error : tooMany(wait);
    },
  };
}

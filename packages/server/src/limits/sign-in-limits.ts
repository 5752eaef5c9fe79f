import { hash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { networkOf } from '../listener/networks.js';
import { createFailureCounts, type FailureCounts } from '../records/failure-counts.js';

export interface SignIn {
  /** Name that the caller claims, such as a client id. It is unverified and may not exist. */
  readonly name: string;
  readonly address: string;
}

const PER_NAME = 10;
const PER_ADDRESS = 30;

const tooMany = (retryAfter: number) =>
  new ServiceError('rate_limited', `Too many sign-ins failed. Retry in ${retryAfter} s.`, {
    retryAfter,
  });

const isFailure = (error: unknown) => error instanceof ServiceError && error.code === 'unauthorized';

/** Creates limits for failed sign-ins per name and per address. They count in this process only (rule A8). */
export function createSignInLimits({ now }: { readonly now: () => number }) {
  const nameFailures = createFailureCounts({ limit: PER_NAME, now });
  const addressFailures = createFailureCounts({ limit: PER_ADDRESS, now });
  // Failures per pair of name and address. An address that failed for a name must wait, but the name's owner at another
  // address must not.
  const pairFailures = createFailureCounts({ limit: 1, now });

  function keysOf({ name, address }: SignIn) {
    const network = networkOf(address);
    return { name: hash('sha256', name), network, pair: hash('sha256', `${network} ${name}`) };
  }

  type Keys = ReturnType<typeof keysOf>;

  // An IP address without a failed sign-in under this operator name gets one attempt, even after many failures of other
  // addresses.
  const waitOfName = ({ name, pair }: Keys) =>
    pairFailures.retryAfter(pair) === undefined ? undefined : nameFailures.retryAfter(name);

  const each = <T>({ name, network, pair }: Keys, work: (counts: FailureCounts, key: string) => T): T[] => [
    work(nameFailures, name),
    work(pairFailures, pair),
    work(addressFailures, network),
  ];
  const add = (keys: Keys) => each(keys, (counts, key) => counts.add(key));
  const reserve = (keys: Keys) => each(keys, (counts, key) => counts.reserve(key));

  const orTooMany = (error: unknown, wait: number | undefined) =>
    isFailure(error) && wait !== undefined ? tooMany(wait) : error;

  /**
   * Runs a slow verification, such as a password hash. Counts the attempt before it starts, so that concurrent attempts
   * cannot exceed the limit. Throws `rate_limited`, without verification, after too many failures.
   */
  async function attempt<T>(who: SignIn, verify: () => Promise<T>): Promise<T> {
    const keys = keysOf(who);
    const wait = addressFailures.retryAfter(keys.network) ?? waitOfName(keys);
    if (wait !== undefined) throw tooMany(wait);
    const waitAfter = nameFailures.retryAfter(keys.name);
    const reserved = reserve(keys);
    try {
      return await verify();
    } catch (error) {
      if (isFailure(error)) add(keys);
      throw orTooMany(error, waitAfter);
    } finally {
      for (const release of reserved) release();
    }
  }

  /**
   * Counts a failure after it happened, because its verification takes no time worth limiting. Returns the error to
   * throw: the given one, or `rate_limited` after too many failures.
   */
  function refuse({ name, address }: Partial<SignIn> & Pick<SignIn, 'address'>, error: unknown): unknown {
    if (!isFailure(error)) return error;
    const network = networkOf(address);
    const addressWait = addressFailures.retryAfter(network);
    if (name === undefined) {
      addressFailures.add(network);
      return orTooMany(error, addressWait);
    }
    const keys = keysOf({ name, address });
    const wait = addressWait ?? nameFailures.retryAfter(keys.name);
    add(keys);
    return orTooMany(error, wait);
  }

  /** Throws `rate_limited` when this address has failed for the name and the name has failed too often. */
  function check(who: SignIn): void {
    const wait = waitOfName(keysOf(who));
    if (wait !== undefined) throw tooMany(wait);
  }

  return { attempt, refuse, check };
}

export type SignInLimits = ReturnType<typeof createSignInLimits>;

import { hash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { networkOf } from '../listener/networks.js';
import { createFailureCounts, type FailureCounts } from '../records/failure-counts.js';

export interface SignIn {
  /** Name that the client states, such as an operator name or a client id. It is not verified and may not exist. */
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

/**
 * Creates limits for failed sign-ins per name and per IP address. Only failures in this process count (rule A8 in
 * security-rules.md).
 */
export function createSignInLimits({ now }: { readonly now: () => number }) {
  const nameFailures = createFailureCounts({ limit: PER_NAME, now });
  const addressFailures = createFailureCounts({ limit: PER_ADDRESS, now });
  // Counts failures per pair of name and IP address. An address that failed for a name must wait, but the owner of the
  // name at another address must not.
  const pairFailures = createFailureCounts({ limit: 1, now });

  function keysOf({ name, address }: SignIn) {
    const network = networkOf(address);
    return { name: hash('sha256', name), network, pair: hash('sha256', `${network} ${name}`) };
  }

  type Keys = ReturnType<typeof keysOf>;

  // Even after many failures for a name, an IP address that has not failed for it gets one attempt. An attacker can
  // therefore not lock out the owner of the name.
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
   * cannot exceed the limit. Throws `rate_limited` without verification after too many failures.
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
   * Counts a failed sign-in whose credential is verified quickly, such as a client secret. Returns the error to throw:
   * the given error, or `rate_limited` after too many failures.
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

  /** Throws `rate_limited` if this IP address has failed for the name and the name has too many failures. */
  function check(who: SignIn): void {
    const wait = waitOfName(keysOf(who));
    if (wait !== undefined) throw tooMany(wait);
  }

  return { attempt, refuse, check };
}

export type SignInLimits = ReturnType<typeof createSignInLimits>;

import type { Algorithm } from '@node-rs/argon2';
import { createSemaphore } from '../concurrency/semaphore.js';
import { ServiceError } from '../errors.js';
import type { Random } from '../text/random.js';

// Passwords are hashed with Argon2id (rule A6 in security-rules.md). The number 2 replaces `Algorithm.Argon2id`,
// because this enum of the package does not exist at run time.
const ARGON2ID: Algorithm.Argon2id = 2;
const COST = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

// Password hashes run on the four threads of libuv, which also read files and resolve names. Two threads must stay
// free.
const AT_ONCE = 2;
const MAX_RUNNING = 64;
const WAIT_MS = 5000;
const RETRY_AFTER_SECONDS = 1;
/**
 * Argon2id hash of a random password that was discarded, so no sign-in can succeed with it. Unknown operators are
 * checked against this hash, so that the response time does not reveal which names exist. Invited operators have it
 * until they set a password.
 */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$tAnggzoE9D107Miaa0GbAg$ZbnoYjWY64nRUjxQarm9njCripEDzjHgSgAuqifuaLo';

const load = () => import('@node-rs/argon2');

const RANDOM_BYTES = 15;
const GROUP = /.{4}(?=.)/g;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Generates a password from 120 random bits: 24 characters in groups of four, without characters that look alike. */
export function newPassword(random: Random): string {
  const bits = [...random(RANDOM_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{5}/g) ?? [];
  return letters
    .map((five) => LETTERS[Number.parseInt(five, 2)])
    .join('')
    .replace(GROUP, '$&-');
}

const tooMany = () =>
  new ServiceError('unavailable', 'Too many sign-ins run at the same time. Retry in a few seconds.', {
    retryAfter: RETRY_AFTER_SECONDS,
  });

/**
 * Limits concurrent password hashing, so create it only once per process. Its methods throw unavailable if too many
 * calls wait.
 */
export function createPasswords() {
  const withPermit = createSemaphore(AT_ONCE);
  let running = 0;

  async function withBoundedWait<T>(work: () => Promise<T>): Promise<T> {
    if (running === MAX_RUNNING) throw tooMany();
    running += 1;
    try {
      const done = await withPermit(work, WAIT_MS);
      if (done === undefined) throw tooMany();
      return done;
    } finally {
      running -= 1;
    }
  }

  function hash(password: string): Promise<string> {
    return withBoundedWait(async () => (await load()).hash(password, COST));
  }

  /**
   * Verifies a password. Without a hash, verifies against a dummy hash, so that timing does not reveal which operators
   * exist.
   */
  function isRight(passwordHash: string | undefined = NOBODYS_HASH, password: string): Promise<boolean> {
    return withBoundedWait(async () => (await load()).verify(passwordHash, password));
  }

  return { hash, isRight };
}

export type Passwords = ReturnType<typeof createPasswords>;

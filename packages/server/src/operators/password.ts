import type { Algorithm } from '@node-rs/argon2';
import { createSemaphore } from '../concurrency/semaphore.js';
import { ServiceError } from '../errors.js';
import type { Random } from '../random.js';

// Rule A6. The package's `Algorithm` is a type without a value at run time; 2 is Argon2id.
const ARGON2ID: Algorithm.Argon2id = 2;
const COST = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

// Hashes run where names are looked up and files are read: on four threads, of which two must stay free.
const AT_ONCE = 2;
const MOST_UNDER_WAY = 64;
const WAIT_MS = 5000;
const RETRY_AFTER_SECONDS = 1;
/** Of a random password that nobody has. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$tAnggzoE9D107Miaa0GbAg$ZbnoYjWY64nRUjxQarm9njCripEDzjHgSgAuqifuaLo';

const load = () => import('@node-rs/argon2');

const RANDOM_BYTES = 15;
const GROUP = /.{4}(?=.)/g;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 24 characters that are not taken for each other, 120 random bits, in groups that can be read aloud. */
export function newPassword(random: Random): string {
  const bits = [...random(RANDOM_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{5}/g) ?? [];
  return letters
    .map((five) => LETTERS[Number.parseInt(five, 2)])
    .join('')
    .replace(GROUP, '$&-');
}

/** Slow on purpose: for people's passwords alone, and never on the way of a request but a sign-in. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long where there is no hash, so that the time does not tell who has one. */
  isRight(passwordHash: string | undefined, password: string): Promise<boolean>;
}

const tooMany = () =>
  new ServiceError('unavailable', 'Too many passwords are being checked; try again shortly.', {
    retryAfter: RETRY_AFTER_SECONDS,
  });

/** Throws unavailable when too many wait already. A process has one, so that its hashes are few at a time. */
export function createPasswords(): Passwords {
  const withPermit = createSemaphore(AT_ONCE);
  let underWay = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (underWay === MOST_UNDER_WAY) throw tooMany();
    underWay += 1;
    try {
      const done = await withPermit(work, WAIT_MS);
      if (done === undefined) throw tooMany();
      return done;
    } finally {
      underWay -= 1;
    }
  }

  return {
    hash: (password) => inTurn(async () => (await load()).hash(password, COST)),
    isRight: (passwordHash = NOBODYS_HASH, password) =>
      inTurn(async () => (await load()).verify(passwordHash, password)),
  };
}

import { type Algorithm, hash, verify } from '@node-rs/argon2';
import type { Random } from './random.js';

// Rule A6. The package's `Algorithm` is a type without a value at run time; 2 is Argon2id.
const ARGON2ID: Algorithm.Argon2id = 2;
const COST = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

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
export const hashPassword = (password: string): Promise<string> => hash(password, COST);

export const isPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);

import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { stat } from 'node:fs/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { ServiceError } from '../errors.js';
import { createPasswords, newPassword } from './password.js';

const hashing = vi.hoisted(() => ({
  now: 0,
  most: 0,
  done: 0,
  paused: undefined as Promise<void> | undefined,
}));

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const argon2 = await importOriginal<typeof import('@node-rs/argon2')>();
  const verify: typeof argon2.verify = async (...given) => {
    hashing.now += 1;
    hashing.most = Math.max(hashing.most, hashing.now);
    const isRight = hashing.paused ? await hashing.paused.then(() => true) : await argon2.verify(...given);
    hashing.now -= 1;
    hashing.done += 1;
    return isRight;
  };
  return { ...argon2, verify };
});

beforeEach(() => {
  Object.assign(hashing, { now: 0, most: 0, done: 0, paused: undefined });
});

test('A6: passwords are hashed by argon2id with 19 MiB, two passes, one lane and their own salt', async () => {
  const { hash, isRight } = createPasswords();
  const hashes = [await hash('correct horse'), await hash('correct horse')];
  for (const passwordHash of hashes) {
    const [, memory = ''] =
      /^\$argon2id\$v=19\$m=(\d+),t=2,p=1\$[\w+/]{22,}\$[\w+/]{43}$/.exec(passwordHash) ?? [];
    expect(Number(memory)).toBeGreaterThanOrEqual(19 * 1024);
    expect(await isRight(passwordHash, 'correct horse')).toBe(true);
    expect(await isRight(passwordHash, 'correct horse ')).toBe(false);
  }
  expect(new Set(hashes).size).toBe(2);
});

test('A6: two passwords are checked at a time, 62 wait, and further ones get 503', async () => {
  const { isRight } = createPasswords();
  const { promise, resolve } = Promise.withResolvers<void>();
  hashing.paused = promise;
  const codes: unknown[] = [];
  const checks = Array.from({ length: 100 }, () =>
    isRight(undefined, 'wrong').catch((error: ServiceError) => codes.push(error)),
  );
  await expect.poll(() => codes).toHaveLength(36);
  expect(codes[0]).toBeInstanceOf(ServiceError);
  expect(codes[0]).toMatchObject({ code: 'unavailable', details: { retryAfter: 1 } });
  await expect.poll(() => hashing.now).toBe(2);
  expect(hashing.done).toBe(0);
  resolve();
  await Promise.all(checks);
  expect(hashing).toMatchObject({ most: 2, done: 64 });
  expect(await isRight(undefined, 'wrong')).toBe(true);
});

test('A6: DNS lookups and file reads are not blocked by password checks', async () => {
  const { isRight } = createPasswords();
  const checks = Array.from({ length: 24 }, () => isRight(undefined, 'wrong'));
  await vi.waitFor(() => expect(hashing.now).toBeGreaterThan(0), { interval: 1, timeout: 20_000 });
  await Promise.all([lookup('localhost'), stat('.')]);
  // Hashes on all four threads of libuv would delay the DNS lookup and `stat` until the last hash is done.
  expect(hashing.done).toBeLessThan(12);
  expect(new Set(await Promise.all(checks))).toEqual(new Set([false]));
});

test('A6: an unknown name costs as much time as a wrong password', async () => {
  const { hash, isRight } = createPasswords();
  const parameters = (passwordHash: string) => passwordHash.split('$').slice(1, 4).join();
  const argon2 = await import('@node-rs/argon2');
  const verify = vi.spyOn(argon2, 'verify');
  await isRight(undefined, 'wrong');
  expect(parameters(String(verify.mock.lastCall?.[0]))).toBe(parameters(await hash('correct horse')));
});

test('a random password has 120 bits in groups of unambiguous characters', () => {
  const passwords = Array.from({ length: 1000 }, () => newPassword(randomBytes));
  expect(new Set(passwords).size).toBe(1000);
  for (const password of passwords) expect(password).toMatch(/^([a-km-np-z2-9]{4}-){5}[a-km-np-z2-9]{4}$/);
  const letters = passwords.join('').replaceAll('-', '');
  expect(new Set(letters).size).toBe(32);
});

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, isPassword, newPassword } from './password.js';

test('A6: passwords are hashed by argon2id with 19 MiB, two passes and one lane, each with its own salt', async () => {
  const hashes = [await hashPassword('correct horse'), await hashPassword('correct horse')];
  for (const passwordHash of hashes) {
    const [, memory = ''] =
      /^\$argon2id\$v=19\$m=(\d+),t=2,p=1\$[\w+/]{22,}\$[\w+/]{43}$/.exec(passwordHash) ?? [];
    expect(Number(memory)).toBeGreaterThanOrEqual(19 * 1024);
    expect(await isPassword(passwordHash, 'correct horse')).toBe(true);
    expect(await isPassword(passwordHash, 'correct horse ')).toBe(false);
  }
  expect(new Set(hashes).size).toBe(2);
});

test('a random password has 120 bits in groups of characters that are not taken for each other', () => {
  const passwords = Array.from({ length: 1000 }, () => newPassword(randomBytes));
  expect(new Set(passwords).size).toBe(1000);
  for (const password of passwords) expect(password).toMatch(/^([a-km-np-z2-9]{4}-){5}[a-km-np-z2-9]{4}$/);
  const letters = passwords.join('').replaceAll('-', '');
  expect(new Set(letters).size).toBe(32);
});

import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { readTables } from '../../test/support/databases/read-tables.js';
import { createServiceParts } from '../../test/support/service/service-parts.js';
import { isRandomSecret, newClientSecret } from './client-secret.js';

const compared = vi.hoisted(() => [] as [number, number][]);

vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  const timingSafeEqual: typeof crypto.timingSafeEqual = (one, other) => {
    compared.push([one.byteLength, other.byteLength]);
    return crypto.timingSafeEqual(one, other);
  };
  return { ...crypto, timingSafeEqual };
});

test('A3: a client secret is a prefix, 32 random bytes and their checksum', () => {
  const lengths: number[] = [];
  const random = (bytes: number) => {
    lengths.push(bytes);
    return randomBytes(bytes);
  };
  const secrets = Array.from({ length: 1000 }, () => newClientSecret(random));
  expect(new Set(secrets).size).toBe(1000);
  expect(new Set(lengths)).toEqual(new Set([32]));
  for (const secret of secrets) {
    const [, body = '', checksum = ''] = /^svc_sk_([\w-]{43})([\w-]{6})$/.exec(secret) ?? [];
    expect(Buffer.from(body, 'base64url')).toHaveLength(32);
    expect(Buffer.from(checksum, 'base64url').readUInt32BE()).toBe(crc32(body));
  }
});

test('A3: a client secret is distinguished from a chosen one and from one with a typing error', () => {
  const secret = newClientSecret(randomBytes);
  expect(isRandomSecret(secret)).toBe(true);
  const others = ['', 'chosen-by-script', `svc_sk_${'a'.repeat(49)}`, secret.slice(0, -1), `${secret}a`];
  const swapped = secret.replace(
    /(.)(.{6})$/,
    (_, last, checksum) => `${last === 'a' ? 'b' : 'a'}${checksum}`,
  );
  expect([...others, swapped].filter(isRandomSecret)).toEqual([]);
});

test('A3: a client secret is stored only as a peppered digest and never returned again', async () => {
  const { applications, database } = await createServiceParts();
  const { id, clientSecret } = await applications.create('Notes');
  const added = await applications.addClientSecret(id);
  const stored = JSON.stringify(await readTables(database));
  const printed = JSON.stringify([
    await applications.get(id),
    await applications.list({}),
    await applications.listClientSecrets(id),
  ]);
  for (const secret of [clientSecret, added.clientSecret]) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect(stored).not.toContain(createHash('sha256').update(secret).digest(encoding));
    }
    expect(stored).not.toContain(secret);
    expect(printed).not.toContain(secret);
  }
});

test('A3: the same secret has different digests with different peppers', async () => {
  const given = { name: 'Notes', clientId: 'app_same', clientSecret: 'the-same-secret' };
  const digests: string[] = [];
  for (let service = 0; service < 2; service += 1) {
    const { applications, storage } = await createServiceParts();
    await applications.createFirstApplication(given);
    digests.push(...(await storage.applications.liveSecrets('app_same')).map(({ digest }) => digest));
  }
  expect(new Set(digests).size).toBe(2);
});

test('A3: digests of equal length are compared in constant time for any presented secret', async () => {
  const { applications } = await createServiceParts();
  const { id, clientSecret } = await applications.create('Notes');
  const tries = [
    [id, clientSecret],
    [id, ''],
    [id, 'x'],
    [id, clientSecret.slice(0, -1)],
    [id, 'x'.repeat(10_000)],
    ['app_none', clientSecret],
  ] as const;
  const comparisons: number[] = [];
  for (const [clientId, presented] of tries) {
    compared.length = 0;
    await applications.verifyClient(clientId, presented).catch(() => undefined);
    comparisons.push(compared.length);
    for (const [one, other] of compared) expect(one).toBe(other);
  }
  expect(comparisons[0]).toBeGreaterThan(0);
  expect(new Set(comparisons).size).toBe(1);
});

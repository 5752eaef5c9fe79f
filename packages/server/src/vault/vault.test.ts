import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { secret } from '../secret.js';
import { SEALED_COLUMNS } from '../storage/sealed-columns.js';
import { dataKeyLocation } from './data-keys.js';
import { createLocalRootKey } from './local-root-key.js';
import { createRootKeys } from './root-keys.js';
import { createVault, type SecretLocation } from './vault.js';

/** Lists every location of a secret that the vault knows, for one row id. */
const locationsOf = (applicationId: string, rowId: string): SecretLocation[] =>
  SEALED_COLUMNS.flatMap((sealed): SecretLocation[] => {
    const row = { applicationId, rowId };
    if (sealed.holds === 'one') return [{ ...row, ...sealed }];
    return ['one', 'two'].map((name) => ({
      ...row,
      table: sealed.table,
      column: `${sealed.column}.${name}` as const,
    }));
  });

async function createLocations() {
  const parts = await createServiceParts();
  const applicationIds = [await addApplication(parts, 'One'), await addApplication(parts, 'Two')];
  const locations = applicationIds.flatMap((id) =>
    ['row_1', 'row_2'].flatMap((rowId) => locationsOf(id, rowId)),
  );
  const [location] = locations;
  if (!location) throw new Error('no location');
  return { ...parts, locations, location };
}

test('a ciphertext is decrypted in its own location', async () => {
  const { vault, locations } = await createLocations();
  for (const location of locations) {
    const sealed = await vault.seal(location, secret('tøken'));
    expect(sealed).not.toContain('tøken');
    expect((await vault.open(location, sealed)).reveal()).toBe('tøken');
  }
});

test('K2: a ciphertext is not decrypted in another column, row, table or application', async () => {
  const { vault, locations } = await createLocations();
  const sealed = await Promise.all(locations.map((location) => vault.seal(location, secret('token'))));
  let swaps = 0;
  for (const [from, text] of sealed.entries()) {
    for (const [to, location] of locations.entries()) {
      if (from === to) continue;
      await expect(vault.open(location, text)).rejects.toThrow(/cannot be decrypted/);
      swaps += 1;
    }
  }
  expect(swaps).toBe(locations.length * (locations.length - 1));
});

test('K2: the parts of a location are unambiguous', async () => {
  const { vault, location } = await createLocations();
  const spool = { applicationId: location.applicationId, table: 'token_spool' } as const;
  const sealed = await vault.seal({ ...spool, rowId: 'row_1a', column: 'b' }, secret('token'));
  await expect(vault.open({ ...spool, rowId: 'row_1', column: 'ab' }, sealed)).rejects.toThrow(
    /cannot be decrypted/,
  );
});

test('K2: a ciphertext is bound to the key id that it names', async () => {
  const { vault, location } = await createLocations();
  const sealed = await vault.seal(location, secret('token'));
  const { id } = await vault.rotate(location.applicationId);
  const [format, , body] = sealed.split('.');
  await expect(vault.open(location, [format, id, body].join('.'))).rejects.toThrow(/cannot be decrypted/);
  await expect(vault.open(location, ['v2', sealed.slice(3)].join('.'))).rejects.toThrow(
    /cannot be decrypted/,
  );
});

/** Returns the ciphertext text with its encrypted bytes (`body`) changed by `change`. */
function damage(sealed: string, change: (body: Buffer) => Buffer): string {
  const [format, keyId, body = ''] = sealed.split('.');
  return [format, keyId, change(Buffer.from(body, 'base64url')).toString('base64url')].join('.');
}

const flip = (at: number) => (body: Buffer) => {
  const changed = Buffer.from(body);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};

test.each([
  { title: 'a tag of 4 bytes', change: (body: Buffer) => body.subarray(0, -12) },
  { title: 'a tag of 8 bytes', change: (body: Buffer) => body.subarray(0, -8) },
  { title: 'a tag of 12 bytes', change: (body: Buffer) => body.subarray(0, -4) },
  { title: 'an empty body', change: () => Buffer.alloc(0) },
  { title: 'a changed IV', change: flip(0) },
  { title: 'a changed ciphertext', change: flip(12) },
])('K1: a ciphertext with $title is refused', async ({ change }) => {
  const { vault, location } = await createLocations();
  const sealed = await vault.seal(location, secret('token that is longer than a tag'));
  await expect(vault.open(location, damage(sealed, change))).rejects.toThrow(/cannot be decrypted/);
});

test('K1: a random 96-bit IV makes every ciphertext of a secret different', async () => {
  const { vault, location } = await createLocations();
  const sealed = await Promise.all(Array.from({ length: 50 }, () => vault.seal(location, secret('token'))));
  const ivs = sealed.map((text) => Buffer.from(text.split('.')[2] ?? '', 'base64url').subarray(0, 12));
  expect(new Set(ivs.map((iv) => iv.toString('hex'))).size).toBe(50);
});

test('K1: parallel first uses of an application create one data key', async () => {
  const parts = await createLocations();
  const { location, locations, vault } = parts;
  const instances = [vault, createVault(parts), createVault(parts)];
  const sealed = await Promise.all(
    instances.flatMap((instance) =>
      Array.from({ length: 10 }, () => instance.seal(location, secret('token'))),
    ),
  );
  const [id, ...others] = new Set(sealed.map((text) => text.split('.')[1]));
  expect(others).toEqual([]);
  expect((await createVault(parts).open(location, sealed[0] ?? '')).reveal()).toBe('token');
  const last = locations.at(-1);
  expect(last && (await vault.seal(last, secret('token'))).split('.')[1]).not.toBe(id);
});

test('K1: every generation of every application has its own 32 random bytes', async () => {
  const { vault, storage, rootKeys, locations } = await createLocations();
  for (const location of locations) await vault.seal(location, secret('token'));
  for (const applicationId of new Set(locations.map((location) => location.applicationId))) {
    await vault.rotate(applicationId);
  }
  const rows = await storage.dataKeys.listAll('', 100);
  const keys = await Promise.all(rows.map((row) => rootKeys.unwrap(dataKeyLocation(row), row.wrappedKey)));
  expect(keys.map(({ length }) => length)).toEqual([32, 32, 32, 32]);
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(4);
  // A key of zeros, or one that repeats a pattern, has few different bytes.
  for (const key of keys) expect(new Set(key).size).toBeGreaterThan(16);
});

test('a ciphertext is not decrypted with another root key', async () => {
  const parts = await createLocations();
  const sealed = await parts.vault.seal(parts.location, secret('token'));
  const other = createLocalRootKey(randomBytes(32));
  const stolen = createVault({ ...parts, rootKeys: createRootKeys(() => [other]) });
  await expect(stolen.open(parts.location, sealed)).rejects.toThrow(/cannot be decrypted/);
});

test('a prepared seal works without the database and only for its application', async () => {
  const parts = await createLocations();
  const { vault, location, locations, database } = parts;
  const seal = await vault.prepare(location.applicationId);
  await database.destroy();
  expect(seal(location, secret('token'))).toMatch(/^v1\.key_/);
  const foreign = locations.find(({ applicationId }) => applicationId !== location.applicationId);
  expect(() => foreign && seal(foreign, secret('token'))).toThrow(/cannot be decrypted/);
});

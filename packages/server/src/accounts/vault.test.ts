import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { addApplication, createServiceParts } from '../../test/support/service-parts.js';
import { deriveRootKey } from './root-key.js';
import { secret } from './secret.js';
import { createVault, type Place } from './vault.js';

async function createPlaces() {
  const parts = await createServiceParts();
  const applicationIds = [await addApplication(parts, 'One'), await addApplication(parts, 'Two')];
  const columns: Pick<Place, 'table' | 'column'>[] = [
    { table: 'connections', column: 'client_secret' },
    { table: 'accounts', column: 'access_token' },
    { table: 'accounts', column: 'refresh_token' },
    { table: 'authorization_flows', column: 'code_verifier' },
  ];
  const places = applicationIds.flatMap((applicationId) =>
    ['row_1', 'row_2'].flatMap((rowId) =>
      columns.map((column): Place => ({ applicationId, rowId, ...column })),
    ),
  );
  return { ...parts, places };
}

test('opens what it sealed, in the same place', async () => {
  const { vault, places } = await createPlaces();
  for (const place of places) {
    const sealed = await vault.seal(place, secret('tøken'));
    expect(sealed).not.toContain('tøken');
    expect((await vault.open(place, sealed)).reveal()).toBe('tøken');
  }
});

test('opens in no other column, row, table or application', async () => {
  const { vault, places } = await createPlaces();
  const sealed = await Promise.all(places.map((place) => vault.seal(place, secret('token'))));
  let swaps = 0;
  for (const [from, text] of sealed.entries()) {
    for (const [to, place] of places.entries()) {
      if (from === to) continue;
      await expect(vault.open(place, text)).rejects.toThrow(/cannot be decrypted/);
      swaps += 1;
    }
  }
  expect(swaps).toBe(places.length * (places.length - 1));
});

test('parts of a place cannot flow into each other', async () => {
  const { vault, places } = await createPlaces();
  const [place] = places;
  if (!place) throw new Error('no place');
  const sealed = await vault.seal({ ...place, rowId: 'row_1a', column: 'b' }, secret('token'));
  await expect(vault.open({ ...place, rowId: 'row_1', column: 'ab' }, sealed)).rejects.toThrow(
    /cannot be decrypted/,
  );
});

/** The sealed text with its body changed. */
function damage(sealed: string, change: (body: Buffer) => Buffer): string {
  const [format, keyId, body = ''] = sealed.split('.');
  return [format, keyId, change(Buffer.from(body, 'base64url')).toString('base64url')].join('.');
}

test.each([
  { title: 'a tag of 4 bytes', change: (body: Buffer) => body.subarray(0, -12) },
  { title: 'a tag of 8 bytes', change: (body: Buffer) => body.subarray(0, -8) },
  { title: 'a tag of 12 bytes', change: (body: Buffer) => body.subarray(0, -4) },
  { title: 'no body', change: () => Buffer.alloc(0) },
  {
    title: 'a changed IV',
    change: (body: Buffer) => Buffer.from(body.map((byte, at) => (at === 0 ? byte ^ 1 : byte))),
  },
  {
    title: 'a changed text',
    change: (body: Buffer) => Buffer.from(body.map((byte, at) => (at === 12 ? byte ^ 1 : byte))),
  },
])('refuses $title', async ({ change }) => {
  const { vault, places } = await createPlaces();
  const [place] = places;
  if (!place) throw new Error('no place');
  const sealed = await vault.seal(place, secret('token'));
  await expect(vault.open(place, damage(sealed, change))).rejects.toThrow(/cannot be decrypted/);
});

test('seals the same secret differently each time', async () => {
  const { vault, places } = await createPlaces();
  const [place] = places;
  if (!place) throw new Error('no place');
  const sealed = await Promise.all(Array.from({ length: 50 }, () => vault.seal(place, secret('token'))));
  expect(new Set(sealed).size).toBe(50);
});

test('parallel first uses of an application agree on one data key', async () => {
  const parts = await createPlaces();
  const [place] = parts.places;
  if (!place) throw new Error('no place');
  const sealed = await Promise.all(
    Array.from({ length: 20 }, () => parts.vault.seal(place, secret('token'))),
  );
  expect(new Set(sealed.map((text) => text.split('.')[1])).size).toBe(1);
  const restarted = createVault(parts);
  expect((await restarted.open(place, sealed[0] ?? '')).reveal()).toBe('token');
});

test('opens nothing with another root key', async () => {
  const parts = await createPlaces();
  const [place] = parts.places;
  if (!place) throw new Error('no place');
  const sealed = await parts.vault.seal(place, secret('token'));
  const stolen = createVault({ ...parts, rootKey: deriveRootKey(randomBytes(32)) });
  await expect(stolen.open(place, sealed)).rejects.toThrow(/cannot be decrypted/);
});

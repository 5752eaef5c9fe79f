import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealed, type Sealed } from '../../test/support/databases/create-sealed.js';
import { sealedCells } from '../../test/support/databases/sealed-cells.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { secret } from '../secret.js';
import { SEALED_COLUMNS } from '../storage/sealed-columns.js';
import { MAX_ENCRYPTIONS } from './data-keys.js';
import { createKeys } from './keys.js';
import { createLocalRootKey } from './local-root-key.js';
import { openPepper } from './pepper.js';
import { createRetireDataKeys, UNUSED_FOR_MS } from './retire-data-keys.js';
import { createRootKeys } from './root-keys.js';
import { createVault } from './vault.js';

const keyIdOf = (text: string): string => text.split('.')[1] ?? '';

/** Decrypts every ciphertext of the database at its own location. Returns the plain secrets. */
async function openAll({ database }: Sealed, vault: Sealed['vault']): Promise<string[]> {
  const cells = await sealedCells(database);
  return Promise.all(cells.map(async ({ location, text }) => (await vault.open(location, text)).reveal()));
}

const eventsOf = async ({ database }: Pick<Sealed, 'database'>, action: string) =>
  (await database.selectFrom('auditEvents').selectAll().where('action', '=', action).execute()).map(
    ({ applicationId, object, actor }) => ({ applicationId, object, actor }),
  );

test('K2: a ciphertext of the database cannot be decrypted instead of another', async () => {
  const { vault, database } = await createSealed();
  const cells = await sealedCells(database);
  const filled = new Set(cells.map(({ location }) => `${location.table}.${location.column.split('.')[0]}`));
  // Fails when a new encrypted column is added, until `createSealed` writes a value into the column.
  expect([...filled].sort()).toEqual(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort());
  let refused = 0;
  for (const { location } of cells) {
    for (const { text } of cells.filter((cell) => cell.location !== location)) {
      await expect(vault.open(location, text)).rejects.toThrow(/cannot be decrypted/);
      refused += 1;
    }
  }
  expect(refused).toBe(cells.length * (cells.length - 1));
});

test('K4: a rotation re-encrypts every sealed column with a new key and changes no value', async () => {
  const sealed = await createSealed();
  const { keys, vault, applicationId, other, database, storage } = sealed;
  const before = await openAll(sealed, vault);
  const cells = (await sealedCells(database)).filter(
    ({ location }) => location.applicationId === applicationId,
  );
  let reports = 0;
  const done = await keys.rotate(applicationId, (values) => {
    reports += values;
  });
  expect(done).toEqual({ values: reports, unreadable: 0 });
  expect(reports).toBe(cells.length);
  expect(await openAll(sealed, createVault(sealed))).toEqual(before);
  const newest = await storage.dataKeys.newest(applicationId);
  const used = (await sealedCells(database)).map(({ location, text }) => [
    location.applicationId,
    keyIdOf(text),
  ]);
  expect(new Set(used.flatMap(([owner, id]) => (owner === applicationId ? [id] : [])))).toEqual(
    new Set([newest?.id]),
  );
  expect((await storage.dataKeys.newest(other))?.generation).toBe(1);
  const created = await eventsOf(sealed, 'data_key.created');
  expect(created.filter(({ object }) => object === newest?.id)).toEqual([
    { applicationId, object: newest?.id, actor: 'test' },
  ]);
});

test('K4: a value that changes during its re-encryption is not overwritten', async () => {
  const sealed = await createSealed();
  const { keys, accounts, applicationId, storage, vault } = sealed;
  const name = { connectionName: 'keyed', identifier: 'ada' };
  let isChanged = false;
  // Writes a newer API key once, after the rotation has read the old one. Writing it again would hide that the rotation
  // overwrote the first write.
  const findSome: typeof storage.sealedValues.findSome = async (search, slice) => {
    const values = await storage.sealedValues.findSome(search, slice);
    const { table, column } = search.sealed;
    if (table === 'accounts' && column === 'access_token' && !isChanged) {
      isChanged = true;
      expect(values.items.length).toBeGreaterThan(0);
      await accounts.getOrCreate(applicationId, name, { apiKey: 'a newer API key' });
    }
    return values;
  };
  const slow = { ...storage, sealedValues: { ...storage.sealedValues, findSome } };
  await vault.rotate(applicationId);
  await createKeys({ ...sealed, storage: slow }).finish(applicationId);
  expect(isChanged).toBe(true);
  const texts = await openAll(sealed, vault);
  expect(texts).toContain('a newer API key');
  await keys.finish(applicationId);
  expect(await openAll(sealed, vault)).toEqual(texts);
});

test('K4: a key in use is not deleted, and an unused key is deleted after an hour', async () => {
  const sealed = await createSealed();
  const { keys, applicationId, clock, storage, database } = sealed;
  const [first] = await storage.dataKeys.list(applicationId);
  const cells = await sealedCells(database);
  const cell = cells.find(
    ({ location }) => location.applicationId === applicationId && location.table === 'connections',
  );
  const restore = () =>
    database
      .updateTable('connections')
      .set({ clientSecret: cell?.text ?? '' })
      .where('id', '=', cell?.location.rowId ?? '')
      .execute();
  const ids = async () => (await storage.dataKeys.list(applicationId)).map(({ generation }) => generation);

  await keys.rotate(applicationId);
  clock.advance(UNUSED_FOR_MS - 1);
  await keys.finishAll();
  expect(await ids()).toEqual([1, 2]);
  // Imitates a slow request that read the old ciphertext before the rotation and now writes it back.
  await restore();
  clock.advance(1);
  await createRetireDataKeys(sealed)(applicationId);
  expect(await ids()).toEqual([1, 2]);
  await keys.finishAll();
  clock.advance(UNUSED_FOR_MS - 1);
  await keys.finishAll();
  expect(await ids()).toEqual([1, 2]);
  clock.advance(1);
  await keys.finishAll();
  expect(await ids()).toEqual([2]);
  expect(await eventsOf(sealed, 'data_key.deleted')).toEqual([
    { applicationId, object: first?.id, actor: 'test' },
  ]);
});

test('K4: an unreadable value is counted and kept together with its key', async () => {
  const sealed = await createSealed();
  const { keys, applicationId, database, clock, storage } = sealed;
  const { clientSecret } = await database
    .selectFrom('connections')
    .select('clientSecret')
    .where('name', '=', 'mail')
    .executeTakeFirstOrThrow();
  const damaged = `${clientSecret?.slice(0, -6)}AAAAAA`;
  await database
    .updateTable('connections')
    .set({ clientSecret: damaged })
    .where('name', '=', 'mail')
    .execute();
  expect(await keys.rotate(applicationId)).toMatchObject({ unreadable: 1 });
  clock.advance(2 * UNUSED_FOR_MS);
  await keys.finishAll();
  expect(await storage.dataKeys.list(applicationId)).toHaveLength(2);
});

test('K4: a data key encrypts at most 2^30 times, and is then replaced automatically', async () => {
  expect(MAX_ENCRYPTIONS).toBe(1_073_741_824);
  const parts = await createServiceParts();
  const applicationId = await addApplication(parts, 'One');
  const location = { applicationId, table: 'connections', rowId: 'conn_1', column: 'client_secret' } as const;
  const first = keyIdOf(await parts.vault.seal(location, secret('token')));
  await parts.database
    .updateTable('dataKeys')
    .set({ encryptions: MAX_ENCRYPTIONS - 1 })
    .execute();
  expect(keyIdOf(await parts.vault.seal(location, secret('token')))).toBe(first);
  const restarted = createVault(parts);
  const [one, two] = await Promise.all([1, 2].map(() => restarted.seal(location, secret('token'))));
  expect(keyIdOf(`${one}`)).not.toBe(first);
  expect(keyIdOf(`${two}`)).toBe(keyIdOf(`${one}`));
  const keys = await parts.storage.dataKeys.list(applicationId);
  expect(keys.map(({ generation, encryptions }) => [generation, encryptions <= MAX_ENCRYPTIONS])).toEqual([
    [1, true],
    [2, true],
  ]);
});

test('K4: instances encrypt with a new key after at most 5 s', async () => {
  const parts = await createServiceParts();
  const applicationId = await addApplication(parts, 'One');
  const location = { applicationId, table: 'connections', rowId: 'conn_1', column: 'client_secret' } as const;
  const other = createVault(parts);
  await other.seal(location, secret('token'));
  const { id } = await parts.vault.rotate(applicationId);
  parts.clock.advance(5001);
  expect(keyIdOf(await other.seal(location, secret('token')))).toBe(id);
});

test('K4: a root rotation re-wraps data keys and the pepper and changes no ciphertext and no digest', async () => {
  const sealed = await createSealed();
  const { storage, database, vault, digest } = sealed;
  const before = [await sealedCells(database), digest('state', 'value')];
  const [old, current] = [sealed.rootKeys, createLocalRootKey(randomBytes(32))];
  const rootKeys = createRootKeys(() => [current]);
  const both = {
    ...rootKeys,
    unwrap: (...given: Parameters<typeof old.unwrap>) =>
      (rootKeys.isCurrent(given[1]) ? rootKeys : old).unwrap(...given),
  };
  const keys = createKeys({ ...sealed, rootKeys: both });
  expect(await keys.rotateRootKey({ makeKey: true })).toEqual({
    current: current.id,
    rewrapped: 3,
    removed: [],
  });
  expect(await keys.rotateRootKey({ makeKey: true })).toMatchObject({ rewrapped: 0 });
  const later = { ...sealed, rootKeys };
  expect([await sealedCells(database), (await openPepper(later))('state', 'value')]).toEqual(before);
  expect(await openAll(sealed, createVault(later))).toEqual(await openAll(sealed, vault));
  expect((await keys.status()).rootKeys).toEqual([{ id: current.id, state: 'current', wraps: 3 }]);
  expect(await eventsOf(sealed, 'root_key.rotated')).toEqual([
    { applicationId: null, object: current.id, actor: 'test' },
  ]);
  expect(await storage.dataKeys.owners(1, { after: '', limit: 10 })).toHaveLength(2);
});

test('batches of any size find every row', async () => {
  const { storage, applicationId, vault } = await createSealed();
  const { id } = await vault.rotate(applicationId);
  for (const sealed of SEALED_COLUMNS) {
    for (const containing of ['v1.', `.${id}.`]) {
      const search = { applicationId, sealed, containing };
      const { items: all } = await storage.sealedValues.findSome(search, { after: '', most: 1000 });
      const one: unknown[] = [];
      let count = 0;
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { items } = await storage.sealedValues.findSome(search, { after, most: 1 });
        const counted = await storage.sealedValues.countSome(search, { after, most: 1 });
        one.push(...items);
        count += counted.items;
        after = counted.last;
      }
      expect(one).toEqual(all);
      expect(count).toBe(all.length);
    }
  }
});

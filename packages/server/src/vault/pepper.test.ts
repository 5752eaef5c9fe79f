import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createServiceParts } from '../../test/support/service/service-parts.js';
import { keyServiceDown } from './key-service.js';
import { createLocalRootKey } from './local-root-key.js';
import { openPepper, PEPPER } from './pepper.js';
import { createRootKeys } from './root-keys.js';

test('instances that start together on an empty database use one pepper', async () => {
  const parts = await createServiceParts();
  await parts.database.deleteFrom('settings').execute();
  const digests = await Promise.all(Array.from({ length: 8 }, () => openPepper(parts)));
  expect(new Set(digests.map((digest) => digest('state', 'value'))).size).toBe(1);
  expect((await openPepper(parts))('state', 'value')).toBe(digests[0]?.('state', 'value'));
});

test('K3: the root key of another database is refused in one sentence', async () => {
  const parts = await createServiceParts();
  const other = createLocalRootKey(randomBytes(32));
  await expect(openPepper({ ...parts, rootKeys: createRootKeys(() => [other]) })).rejects.toThrow(
    /^The root key does not belong to this database\. Set SVC_ROOT_KEY/,
  );
});

test('K3: an unreachable key service is named, and no new key is created', async () => {
  const parts = await createServiceParts();
  const before = await parts.storage.settings.find(PEPPER);
  const down = async () => {
    throw keyServiceDown(new Error('connect ECONNREFUSED'));
  };
  const rootKeys = { ...parts.rootKeys, wrap: down, unwrap: down };
  await expect(openPepper({ ...parts, rootKeys })).rejects.toThrow(
    /^The key service with the root key cannot be reached\. .+ Cause: Error: connect ECONNREFUSED\.$/,
  );
  expect(await parts.storage.settings.find(PEPPER)).toBe(before);
});

test('A3: digests of one value differ by purpose and by pepper', async () => {
  const [one, two] = [await createServiceParts(), await createServiceParts()];
  expect(one.digest('state', 'value')).not.toBe(one.digest('cookie', 'value'));
  expect(one.digest('state', 'value')).not.toBe(two.digest('state', 'value'));
});

import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createApplications } from '../../src/accounts/applications.js';
import { deriveRootKey } from '../../src/accounts/root-key.js';
import { createVault } from '../../src/accounts/vault.js';
import { openDatabase } from '../../src/storage/database.js';
import { createStorage } from '../../src/storage/storage.js';

/** A clock that stands still until a test moves it. */
export function createClock(start = Date.parse('2026-11-20T09:00:00Z')) {
  let time = start;
  return {
    now: () => time,
    advance: (ms: number) => {
      time += ms;
    },
  };
}

/** A real database, closed with the test, and the parts that everything else stands on. */
export async function createServiceParts({ path = ':memory:' }: { readonly path?: string } = {}) {
  const { database, close } = await openDatabase({ path });
  onTestFinished(close);
  const clock = createClock();
  const base = {
    storage: createStorage(database),
    rootKey: deriveRootKey(randomBytes(32)),
    random: randomBytes,
  };
  const vault = createVault({ ...base, now: clock.now });
  const applications = createApplications({ ...base, now: clock.now });
  return { ...base, database, clock, now: clock.now, vault, applications };
}

export type ServiceParts = Awaited<ReturnType<typeof createServiceParts>>;

/** A second tenant beside the first: the service itself makes only one. */
export async function addApplication(
  { storage, clock, random }: ServiceParts,
  name: string,
): Promise<string> {
  const id = `app_${random(6).toString('hex')}`;
  const secretId = `secret_${id}`;
  await storage.applications.insert(
    { id, name, createdAt: clock.now() },
    { id: secretId, applicationId: id, digest: secretId, createdAt: clock.now(), revokedAt: null },
  );
  return id;
}

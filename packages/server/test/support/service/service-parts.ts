import { randomBytes } from 'node:crypto';
import { createApplications } from '../../../src/applications/applications.js';
import { createOrigins } from '../../../src/applications/origins.js';
import type { Caller } from '../../../src/caller.js';
import { createCommit } from '../../../src/records/commit.js';
import { openSpool } from '../../../src/storage/spool.js';
import { createStorage } from '../../../src/storage/storage.js';
import { createNarrowedTokens } from '../../../src/tokens/narrowed-tokens.js';
import { createLocalRootKey } from '../../../src/vault/local-root-key.js';
import { openPepper } from '../../../src/vault/pepper.js';
import { createRootKeys } from '../../../src/vault/root-keys.js';
import { createVault } from '../../../src/vault/vault.js';
import { openTestDatabase } from '../databases/test-database.js';
import { newFolder } from '../processes/new-folder.js';

/** Creates a clock that moves only when a test advances it. */
export function createClock(start = Date.parse('2026-11-20T09:00:00Z')) {
  let time = start;
  return {
    now: () => time,
    advance: (ms: number) => {
      time += ms;
    },
  };
}

const CALLER: Caller = { actor: 'test', applicationId: null, requestId: 'req_test', address: '192.0.2.1' };

/** Opens a real database and creates the components of the service that use it. Closes the database after the test. */
export async function createServiceParts(options: { readonly path?: string } = {}) {
  const { database, lock, innerLock } = await openTestDatabase(options);
  const clock = createClock();
  const storage = createStorage(database);
  const rootKey = createLocalRootKey(randomBytes(32));
  const rootKeys = createRootKeys(() => [rootKey]);
  const base = {
    storage,
    lock,
    innerLock,
    spool: openSpool(newFolder()),
    caller: () => CALLER,
    now: clock.now,
    rootKeys,
    digest: await openPepper({ storage, rootKeys, random: randomBytes }),
    random: randomBytes,
  };
  const commit = createCommit(base);
  const vault = createVault({ ...base, commit });
  const origins = createOrigins(base);
  const narrowedTokens = createNarrowedTokens({ ...base, commit, environmentUrl: 'https://svc.example.com' });
  const applications = createApplications({ ...base, commit, origins, narrowedTokens });
  return { ...base, commit, database, clock, vault, origins, narrowedTokens, applications };
}

export type ServiceParts = Awaited<ReturnType<typeof createServiceParts>>;

/** Adds an application, and returns its ID. */
export const addApplication = async ({ applications }: ServiceParts, name: string): Promise<string> =>
  (await applications.create(name)).id;

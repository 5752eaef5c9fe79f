import type { AccountRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import type { AccountLock } from './account-lock.js';
import type { Revoke } from './revoke.js';

export interface RemoveAccountParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly revoke: Revoke;
  readonly lock: AccountLock;
  readonly cache: AccountCache;
}

/** Ends the account's access upstream where that can be done, and deletes the account in any case. */
export type RemoveAccount = (account: AccountRow) => Promise<void>;

export const createRemoveAccount =
  ({ storage, revoke, lock, cache }: RemoveAccountParts): RemoveAccount =>
  ({ applicationId, id, connectionId }) =>
    // In the lock, so that a refresh in flight does not leave new tokens behind.
    lock(id, async () => {
      const latest = await storage.accounts.find(applicationId, id);
      const connection = await storage.connections.find(applicationId, connectionId);
      if (latest && connection) await revoke(connection, latest);
      await storage.accounts.delete(applicationId, id);
      cache.drop(id);
    });

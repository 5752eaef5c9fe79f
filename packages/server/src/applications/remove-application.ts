import type { PageRequest } from '../page.js';
import type { Commit } from '../records/commit.js';
import type { Storage } from '../storage/storage.js';
import { PEPPER } from '../vault/pepper.js';
import { noApplication } from './application-directory.js';
import type { Applications } from './applications.js';

/** Operations on the connections of an application that is being deleted. */
export interface OwnedConnections {
  list(
    applicationId: string,
    page: PageRequest,
  ): Promise<{ readonly items: readonly { readonly connectionName: string }[] }>;
  delete(applicationId: string, connectionName: string): Promise<void>;
}

export interface RemoveApplicationParts {
  readonly storage: Pick<Storage, 'applications' | 'ownedRows'>;
  readonly applications: Pick<Applications, 'revokeClientSecret'>;
  readonly connections: OwnedConnections;
  readonly commit: Commit;
}

export interface RemovalProgress {
  /**
   * Callback with the number of database rows to delete, called before the first row is deleted. It lets the caller
   * show progress.
   */
  readonly begin: (rows: number) => void;
  readonly add: (rows: number) => void;
}

// Maximum number of rows that one DELETE statement removes. Such a statement takes milliseconds, so that other queries
// can run in between.
const DELETED_AT_ONCE = 500;

export function createRemoveApplication({
  storage,
  applications,
  connections,
  commit,
}: RemoveApplicationParts) {
  /**
   * Revokes all client secrets of an application before its data is deleted, so that no new accounts appear meanwhile.
   * An interrupted deletion can be repeated.
   */
  async function lockOut(applicationId: string): Promise<void> {
    for (const { id } of await storage.applications.liveSecrets(applicationId)) {
      await applications.revokeClientSecret(applicationId, id);
    }
  }

  async function removeConnections(applicationId: string): Promise<void> {
    for (;;) {
      const { items } = await connections.list(applicationId, {});
      if (items.length === 0) return;
      for (const { connectionName } of items) await connections.delete(applicationId, connectionName);
    }
  }

  /**
   * Deletes the application's rows in small batches, because one cascading statement would block all other database
   * work.
   */
  async function removeRows(applicationId: string, progress: RemovalProgress | undefined): Promise<void> {
    if (progress) progress.begin(await storage.ownedRows.count(applicationId));
    for (;;) {
      const deleted = await storage.ownedRows.deleteSome(applicationId, DELETED_AT_ONCE);
      if (deleted === 0) return;
      progress?.add(deleted);
    }
  }

  /**
   * Deletes the application with all its data, and revokes its accounts' access at the upstream if possible. Deletes
   * the application's encryption keys too, so that backups cannot be decrypted (rule K7 in security-rules.md). The
   * audit log records every step.
   */
  async function removeApplication(applicationId: string, progress?: RemovalProgress): Promise<void> {
    const application = await storage.applications.find(applicationId);
    if (!application) throw noApplication(applicationId);
    await lockOut(applicationId);
    await removeRows(applicationId, progress);
    await removeConnections(applicationId);
    await removeRows(applicationId, undefined);
    await commit(async (tables, audit) => {
      // Locks the row of the pepper (the secret input of all digests). Code that creates a data key locks the same row,
      // so no new data key can appear after the application's keys were deleted.
      await tables.settings.lock(PEPPER);
      for (const object of await tables.dataKeys.deleteOf(applicationId)) {
        audit({ action: 'data_key.deleted', applicationId, object });
      }
      if (!(await tables.applications.delete(applicationId))) throw noApplication(applicationId);
      audit({
        action: 'application.deleted',
        applicationId,
        object: applicationId,
        reason: application.name,
      });
    });
  }
  return removeApplication;
}

export type RemoveApplication = ReturnType<typeof createRemoveApplication>;

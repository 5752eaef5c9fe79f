import type { PageRequest } from '../page.js';
import type { Commit } from '../records/commit.js';
import type { Storage } from '../storage/storage.js';
import { PEPPER } from '../vault/pepper.js';
import { noApplication } from './application-directory.js';
import type { Applications } from './applications.js';

/** The connections of an application, and their end. */
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

/**
 * Deletes the application and everything that it owns: its accounts' access upstream ends where that can be done,
 * and its data keys go with its row, so that what a backup still holds of it opens no more (rule K7). Each of them is told of.
 */
export type RemoveApplication = (applicationId: string, progress?: RemovalProgress) => Promise<void>;

export interface RemovalProgress {
  /** How many rows there are, so that somebody who waits sees how far it is. */
  readonly begin: (rows: number) => void;
  readonly add: (rows: number) => void;
}

// Milliseconds each: whatever else is to be done has its turn between two of them.
const DELETED_AT_ONCE = 500;

export function createRemoveApplication(parts: RemoveApplicationParts): RemoveApplication {
  const { storage, applications, connections, commit } = parts;

  // First, so that nobody makes new accounts meanwhile. What is interrupted here can be done again.
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

  // What the last statement would take along, and nobody could do anything meanwhile.
  async function removeRows(applicationId: string, progress: RemovalProgress | undefined): Promise<void> {
    if (progress) progress.begin(await storage.ownedRows.count(applicationId));
    for (;;) {
      const deleted = await storage.ownedRows.deleteSome(applicationId, DELETED_AT_ONCE);
      if (deleted === 0) return;
      progress?.add(deleted);
    }
  }

  return async (applicationId, progress) => {
    const application = await storage.applications.find(applicationId);
    if (!application) throw noApplication(applicationId);
    await lockOut(applicationId);
    await removeRows(applicationId, progress);
    await removeConnections(applicationId);
    await removeRows(applicationId, undefined);
    await commit(async (tables, tell) => {
      // Whoever makes a data key holds this row too: none is made after those that are told of.
      await tables.settings.lock(PEPPER);
      for (const object of await tables.dataKeys.deleteOf(applicationId)) {
        tell({ action: 'data_key.deleted', applicationId, object });
      }
      if (!(await tables.applications.delete(applicationId))) throw noApplication(applicationId);
      tell({
        action: 'application.deleted',
        applicationId,
        object: applicationId,
        reason: application.name,
      });
    });
  };
}

import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, type RowCount, readCursor, toPage } from '../page.js';
import { checkIfMatch } from '../records/check-if-match.js';
import type { Commit } from '../records/commit.js';
import type { ApplicationRow } from '../storage/schema.js';
import type { Storage, Tables } from '../storage/storage.js';
import {
  type Application,
  type ApplicationSettings,
  type ClientSecret,
  checkVerification,
  toApplication,
  toClientSecret,
  toColumns,
} from './application.js';
import { checkOrigins, type Origins } from './origins.js';

export interface ApplicationDirectoryParts {
  readonly storage: Pick<Storage, 'applications' | 'applicationOrigins'>;
  readonly commit: Commit;
  readonly origins: Pick<Origins, 'clear'>;
}

export const noApplication = (applicationId: string) =>
  new ServiceError(
    'not_found',
    `There is no application "${applicationId}". \`svc-server apps list\` lists the ids.`,
  );

/**
 * Creates the operations with which operators manage applications. They throw not_found for unknown application ids.
 */
export function createApplicationDirectory({ storage, commit, origins }: ApplicationDirectoryParts) {
  async function withOrigins(rows: readonly ApplicationRow[]): Promise<Application[]> {
    if (rows.length === 0) return [];
    const registered = await storage.applicationOrigins.listByApplications(rows.map(({ id }) => id));
    const originsOf = ({ id }: ApplicationRow) =>
      registered.filter(({ applicationId }) => applicationId === id).map(({ origin }) => origin);
    return rows.map((row) => toApplication(row, originsOf(row)));
  }

  async function get(applicationId: string): Promise<Application> {
    const [application] = await withOrigins([await find(applicationId)]);
    if (application) return application;
    throw noApplication(applicationId);
  }

  async function find(applicationId: string) {
    const row = await storage.applications.find(applicationId);
    if (row) return row;
    throw noApplication(applicationId);
  }

  async function list(page: PageRequest): Promise<Page<Application>> {
    const cursor = readCursor(page);
    const after = cursor && { createdAt: cursor.at, id: cursor.id };
    const rows = await storage.applications.list(after, pageSizeOf(page) + 1);
    const { items, ...next } = toPage(rows, page, {
      keys: (row) => [String(row.createdAt), row.id],
      item: (row) => row,
    });
    return { ...next, items: await withOrigins(items) };
  }

  const count = (): Promise<RowCount> => storage.applications.countListed();

  /** Locks the application until the transaction ends, and checks its version. */
  async function lockVersion(tables: Tables, applicationId: string, ifMatch: string): Promise<void> {
    await tables.applications.lock(applicationId);
    const row = await tables.applications.find(applicationId);
    if (!row) throw noApplication(applicationId);
    const registered = await tables.applicationOrigins.listByApplications([applicationId]);
    const { etag } = toApplication(
      row,
      registered.map(({ origin }) => origin),
    );
    const edit = { applicationId, object: applicationId, action: 'application.changed' } as const;
    await checkIfMatch(tables, { ...edit, ifMatch, etag, called: `The application "${row.name}"` });
  }

  /** Changes settings of an application. Throws conflict if `ifMatch` does not name its version. */
  async function change(
    applicationId: string,
    settings: ApplicationSettings,
    ifMatch?: string,
  ): Promise<Application> {
    const columns = toColumns(settings);
    const registered = settings.origins && checkOrigins(settings.origins);
    const reason = [...Object.keys(columns), ...(registered ? ['origins'] : [])].join();
    if (reason === '' && ifMatch === undefined) return get(applicationId);
    await commit(async (tables, audit) => {
      if (ifMatch !== undefined) await lockVersion(tables, applicationId, ifMatch);
      if (reason === '') return;
      const row = await tables.applications.update(applicationId, columns);
      if (!row) throw noApplication(applicationId);
      checkVerification(row);
      if (registered) await tables.applicationOrigins.replace(applicationId, registered);
      audit({ action: 'application.changed', applicationId, object: applicationId, reason });
    });
    origins.clear();
    return get(applicationId);
  }

  /** Lists the client secrets of an application, including revoked ones. The secrets themselves are not stored. */
  async function listClientSecrets(applicationId: string): Promise<readonly ClientSecret[]> {
    await find(applicationId);
    return (await storage.applications.secrets(applicationId)).map(toClientSecret);
  }

  return { list, count, get, change, listClientSecrets };
}

import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import type { Commit } from '../records/commit.js';
import type { ApplicationRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
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

/** The applications of the service, as operators manage them. Unknown ids are `not_found`. */
export interface ApplicationDirectory {
  list(page: PageRequest): Promise<Page<Application>>;
  get(applicationId: string): Promise<Application>;
  change(applicationId: string, settings: ApplicationSettings): Promise<Application>;
  /** The revoked ones too. */
  listClientSecrets(applicationId: string): Promise<readonly ClientSecret[]>;
}

export const noApplication = (applicationId: string) =>
  new ServiceError('not_found', `There is no application "${applicationId}".`);

export function createApplicationDirectory(parts: ApplicationDirectoryParts): ApplicationDirectory {
  const { storage, commit, origins } = parts;

  async function withOrigins(rows: readonly ApplicationRow[]): Promise<Application[]> {
    if (rows.length === 0) return [];
    const registered = await storage.applicationOrigins.ofSome(rows.map(({ id }) => id));
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

  return {
    async list(page) {
      const place = readCursor(page);
      const after = place && { createdAt: place.at, id: place.id };
      const rows = await storage.applications.list(after, pageSizeOf(page) + 1);
      const { items, ...next } = toPage(rows, page, {
        keys: (row) => [String(row.createdAt), row.id],
        item: (row) => row,
      });
      return { ...next, items: await withOrigins(items) };
    },

    get,

    async change(applicationId, settings) {
      const columns = toColumns(settings);
      const registered = settings.origins && checkOrigins(settings.origins);
      const reason = [...Object.keys(columns), ...(registered ? ['origins'] : [])].join();
      if (reason === '') return get(applicationId);
      await commit(async (tables, tell) => {
        const row = await tables.applications.update(applicationId, columns);
        if (!row) throw noApplication(applicationId);
        checkVerification(row);
        if (registered) await tables.applicationOrigins.replace(applicationId, registered);
        tell({ action: 'application.changed', applicationId, object: applicationId, reason });
      });
      origins.clear();
      return get(applicationId);
    },

    async listClientSecrets(applicationId) {
      await find(applicationId);
      return (await storage.applications.secrets(applicationId)).map(toClientSecret);
    },
  };
}

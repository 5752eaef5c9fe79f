import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage } from '../page.js';
import type { Commit } from '../records/commit.js';
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

export interface ApplicationDirectoryParts {
  readonly storage: Pick<Storage, 'applications'>;
  readonly commit: Commit;
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
  const { storage, commit } = parts;

  async function find(applicationId: string) {
    const row = await storage.applications.find(applicationId);
    if (row) return row;
    throw noApplication(applicationId);
  }

  return {
    async list(page) {
      const [createdAt, id] = readPageToken(page, 2) ?? [];
      const after =
        createdAt === undefined || id === undefined ? undefined : { createdAt: Number(createdAt), id };
      const rows = await storage.applications.list(after, pageSizeOf(page) + 1);
      return toPage(rows, page, { keys: (row) => [String(row.createdAt), row.id], item: toApplication });
    },

    get: async (applicationId) => toApplication(await find(applicationId)),

    async change(applicationId, settings) {
      const columns = toColumns(settings);
      const reason = Object.keys(columns).join();
      if (reason === '') return toApplication(await find(applicationId));
      const changed = await commit(async (tables, tell) => {
        const row = await tables.applications.update(applicationId, columns);
        if (!row) throw noApplication(applicationId);
        checkVerification(row);
        tell({ action: 'application.changed', applicationId, object: applicationId, reason });
        return row;
      });
      return toApplication(changed);
    },

    async listClientSecrets(applicationId) {
      await find(applicationId);
      return (await storage.applications.secrets(applicationId)).map(toClientSecret);
    },
  };
}

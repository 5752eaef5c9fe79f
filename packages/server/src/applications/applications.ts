import { ServiceError } from '../errors.js';
import { newId } from '../random.js';
import type { Commit, RecordEvent } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { ClientSecretRow } from '../storage/schema.js';
import type { Storage, Tables } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import {
  type AccessToken,
  type AccessTokensParts,
  type Client,
  createAccessTokens,
} from '../tokens/access-tokens.js';
import { newClientSecret } from '../tokens/client-secret.js';
import type { NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { type ApplicationSettings, checkVerification, toColumns } from './application.js';
import {
  type ApplicationDirectory,
  createApplicationDirectory,
  noApplication,
} from './application-directory.js';
import { checkOrigins, type Origins } from './origins.js';

export interface ApplicationsParts extends AccessTokensParts {
  readonly storage: Pick<Storage, 'applications' | 'applicationOrigins' | 'accessTokens'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly origins: Pick<Origins, 'clear'>;
  readonly narrowedTokens: Pick<NarrowedTokens, 'clearCache'>;
}

export interface FirstApplication {
  readonly name: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** `clientSecret` is there only when the application was made by this call: it is shown once. */
export interface FirstCredentials {
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** A new application and its first client secret, which is shown once. */
export interface NewApplication {
  readonly id: string;
  readonly clientSecret: string;
}

/** Applications, their client secrets and their access tokens. Only digests are stored. */
export interface Applications extends ApplicationDirectory {
  /** Makes the first application unless there is one, and says what its client id is. */
  createFirstApplication(given: FirstApplication): Promise<FirstCredentials>;
  create(name: string, settings?: Omit<ApplicationSettings, 'name'>): Promise<NewApplication>;
  /** A second secret beside the first, for a rotation. */
  addClientSecret(applicationId: string): Promise<{ readonly id: string; readonly clientSecret: string }>;
  /** Ends the secret and every access token that was issued for it. */
  revokeClientSecret(applicationId: string, clientSecretId: string): Promise<void>;
  /** Does the same work for an unknown id, a wrong secret and a right one. */
  verifyClient(clientId: string, clientSecret: string): Promise<Client>;
  issueAccessToken(client: Client): Promise<AccessToken>;
  /** The application of an access token that was looked up a moment ago. */
  held(accessToken: string): Client | undefined;
  /** The application of an access token. */
  authenticate(accessToken: string): Promise<Client>;
}

const EMPTY = { production: 0, verifyUrl: null, redirectUrls: '[]', logo: null };
const MOST_LIVE_SECRETS = 2;

function createSecrets({ digest, now, random }: ApplicationsParts) {
  const digestOf = (clientSecret: string) => digest('client secret', clientSecret);
  const dummy = digestOf('');
  return {
    toRow: (applicationId: string, clientSecret: string): ClientSecretRow => ({
      id: newId('secret', random),
      applicationId,
      digest: digestOf(clientSecret),
      createdAt: now(),
      revokedAt: null,
    }),
    digestOf,
    /** One comparison, whatever there is to compare with. */
    isSame: (row: ClientSecretRow | undefined, digest: string): row is ClientSecretRow =>
      isSame(digest, row?.digest ?? dummy) && row !== undefined,
  };
}

async function insertSecret(tables: Tables, tell: RecordEvent, row: ClientSecretRow): Promise<void> {
  await tables.applications.insertSecret(row);
  tell({ action: 'client_secret.created', applicationId: row.applicationId, object: row.id });
}

export function createApplications(parts: ApplicationsParts): Applications {
  const { applications } = parts.storage;
  const { commit, lock, now, random } = parts;
  const secrets = createSecrets(parts);
  const tokens = createAccessTokens(parts);

  const insert = (
    id: string,
    clientSecret: string,
    settings: ApplicationSettings & { readonly name: string },
  ): Promise<void> => {
    const row = { ...EMPTY, id, name: settings.name, createdAt: now(), ...toColumns(settings) };
    checkVerification(row);
    const registered = checkOrigins(settings.origins ?? []);
    return commit(async (tables, tell) => {
      await tables.applications.insert(row);
      if (registered.length > 0) await tables.applicationOrigins.replace(id, registered);
      tell({ action: 'application.created', applicationId: id, object: id, reason: row.name });
      await insertSecret(tables, tell, secrets.toRow(id, clientSecret));
    });
  };

  return {
    ...createApplicationDirectory(parts),

    // Held by name, so that of several instances on a new database one makes the first application.
    createFirstApplication: (given) =>
      lock('first application', async () => {
        const existing = await applications.first();
        if (existing) return { clientId: existing.id };
        const { name, clientId = newId('app', random), clientSecret = newClientSecret(random) } = given;
        await insert(clientId, clientSecret, { name });
        return { clientId, clientSecret };
      }),

    async create(name, settings = {}) {
      const [id, clientSecret] = [newId('app', random), newClientSecret(random)];
      await insert(id, clientSecret, { ...settings, name });
      return { id, clientSecret };
    },

    async addClientSecret(applicationId) {
      const clientSecret = newClientSecret(random);
      const row = secrets.toRow(applicationId, clientSecret);
      await commit(async (tables, tell) => {
        if (!(await tables.applications.lock(applicationId))) throw noApplication(applicationId);
        const live = await tables.applications.liveSecrets(applicationId);
        if (live.length >= MOST_LIVE_SECRETS) {
          throw new ServiceError(
            'conflict',
            'The application has two client secrets already: revoke one first.',
          );
        }
        await insertSecret(tables, tell, row);
      });
      return { id: row.id, clientSecret };
    },

    async revokeClientSecret(applicationId, clientSecretId) {
      const revoked = await commit(async (tables, tell) => {
        const done = await tables.applications.revokeSecret(applicationId, clientSecretId, now());
        if (done) tell({ action: 'client_secret.revoked', applicationId, object: clientSecretId });
        return done;
      });
      tokens.clearCache();
      parts.narrowedTokens.clearCache();
      if (!revoked)
        throw new ServiceError('not_found', `There is no live client secret "${clientSecretId}".`);
    },

    async verifyClient(clientId, clientSecret) {
      const digest = secrets.digestOf(clientSecret);
      const row = await applications.findLiveSecret(clientId, digest);
      if (secrets.isSame(row, digest)) return { applicationId: row.applicationId, clientSecretId: row.id };
      throw new ServiceError('unauthorized', 'The client id or the client secret is not right.');
    },

    issueAccessToken: tokens.issue,
    held: tokens.held,
    authenticate: tokens.authenticate,
  };
}

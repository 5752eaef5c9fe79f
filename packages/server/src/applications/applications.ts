import { ServiceError } from '../errors.js';
import type { Audit, Commit } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { ClientSecretRow } from '../storage/schema.js';
import type { Storage, Tables } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import { newId, type Random } from '../text/random.js';
import { type Client, createAccessTokens } from '../tokens/access-tokens.js';
import { newClientSecret } from '../tokens/client-secret.js';
import type { NarrowedTokens } from '../tokens/narrowed-tokens.js';
import type { Digest } from '../vault/pepper.js';
import { type ApplicationSettings, checkVerification, toColumns } from './application.js';
import { createApplicationDirectory, noApplication } from './application-directory.js';
import { checkOrigins, type Origins } from './origins.js';

export interface ApplicationsParts {
  readonly storage: Pick<Storage, 'applications' | 'applicationOrigins' | 'accessTokens'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly origins: Pick<Origins, 'clear'>;
  readonly narrowedTokens: Pick<NarrowedTokens, 'clearCache'>;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

export interface FirstApplication {
  readonly name: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** Credentials of the first application. `clientSecret` is present only if this call created the application. */
export interface FirstCredentials {
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** Id of a new application and its first client secret. No later call returns this secret. */
export interface NewApplication {
  readonly id: string;
  readonly clientSecret: string;
}

const EMPTY = {
  production: 0,
  verifyUrl: null,
  redirectUrls: '[]',
  logo: null,
  color: null,
  allowTokenImport: 0,
};
const MAX_LIVE_SECRETS = 2;

function createSecrets({ digest, now, random }: Pick<ApplicationsParts, 'digest' | 'now' | 'random'>) {
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
    /**
     * Compares the digest of a presented client secret with the stored row. Without a row, compares with a dummy
     * digest, so that the time does not reveal whether the client secret exists.
     */
    isSame: (row: ClientSecretRow | undefined, digest: string): row is ClientSecretRow =>
      isSame(digest, row?.digest ?? dummy) && row !== undefined,
  };
}

async function insertSecret(tables: Tables, audit: Audit, row: ClientSecretRow): Promise<void> {
  await tables.applications.insertSecret(row);
  audit({ action: 'client_secret.created', applicationId: row.applicationId, object: row.id });
}

/**
 * Creates the management of applications, their client secrets and their access tokens. Only digests of secrets and
 * tokens are stored.
 */
export function createApplications(parts: ApplicationsParts) {
  const { storage, commit, lock, origins, narrowedTokens, digest, now, random } = parts;
  const { applications } = storage;
  const directory = createApplicationDirectory({ storage, commit, origins });
  const secrets = createSecrets({ digest, now, random });
  const tokens = createAccessTokens({ storage, digest, now, random });

  const insert = (
    id: string,
    clientSecret: string,
    settings: ApplicationSettings & { readonly name: string },
  ): Promise<void> => {
    const row = { ...EMPTY, id, name: settings.name, createdAt: now(), ...toColumns(settings) };
    checkVerification(row);
    const registered = checkOrigins(settings.origins ?? []);
    return commit(async (tables, audit) => {
      await tables.applications.insert(row);
      if (registered.length > 0) await tables.applicationOrigins.replace(id, registered);
      audit({ action: 'application.created', applicationId: id, object: id, reason: row.name });
      await insertSecret(tables, audit, secrets.toRow(id, clientSecret));
    });
  };

  /**
   * Creates the first application unless an application exists, and returns its client id. The lock prevents that
   * several instances of the service each create an application in a new database.
   */
  function createFirstApplication(first: FirstApplication): Promise<FirstCredentials> {
    return lock('first application', async () => {
      const existing = await applications.first();
      if (existing) return { clientId: existing.id };
      const { name, clientId = newId('app', random), clientSecret = newClientSecret(random) } = first;
      await insert(clientId, clientSecret, { name });
      return { clientId, clientSecret };
    });
  }

  async function create(
    name: string,
    settings: Omit<ApplicationSettings, 'name'> = {},
  ): Promise<NewApplication> {
    const [id, clientSecret] = [newId('app', random), newClientSecret(random)];
    await insert(id, clientSecret, { ...settings, name });
    return { id, clientSecret };
  }

  /** Adds a second client secret, so that the application can rotate its secrets without downtime. */
  async function addClientSecret(
    applicationId: string,
  ): Promise<{ readonly id: string; readonly clientSecret: string }> {
    const clientSecret = newClientSecret(random);
    const row = secrets.toRow(applicationId, clientSecret);
    await commit(async (tables, audit) => {
      if (!(await tables.applications.lock(applicationId))) throw noApplication(applicationId);
      const live = await tables.applications.liveSecrets(applicationId);
      if (live.length >= MAX_LIVE_SECRETS) {
        throw new ServiceError(
          'conflict',
          'The application already has the maximum of two client secrets. Revoke one of them, then create the new one.',
        );
      }
      await insertSecret(tables, audit, row);
    });
    return { id: row.id, clientSecret };
  }

  /** Revokes a client secret and all access tokens that were issued for it. */
  async function revokeClientSecret(applicationId: string, clientSecretId: string): Promise<void> {
    const revoked = await commit(async (tables, audit) => {
      const done = await tables.applications.revokeSecret(applicationId, clientSecretId, now());
      if (done) audit({ action: 'client_secret.revoked', applicationId, object: clientSecretId });
      return done;
    });
    tokens.clearCache();
    narrowedTokens.clearCache();
    if (!revoked)
      throw new ServiceError(
        'not_found',
        `There is no active client secret "${clientSecretId}". \`svc-server apps secrets list ${applicationId}\` lists the client secrets.`,
      );
  }

  /**
   * Verifies a client id and secret. The check takes equally long for an unknown id, a wrong secret and the right
   * secret, so that timing reveals nothing.
   */
  async function verifyClient(clientId: string, clientSecret: string): Promise<Client> {
    const presented = secrets.digestOf(clientSecret);
    const row = await applications.findSecret(clientId, presented);
    if (secrets.isSame(row, presented) && row.revokedAt === null)
      return { applicationId: row.applicationId, clientSecretId: row.id };
    throw new ServiceError(
      'unauthorized',
      'The client id or the client secret is wrong, or the secret was revoked. Correct them, or let an operator create a new client secret.',
    );
  }

  /** True for a client secret of the application that was revoked. Presenting such a secret is not guessing. */
  const isRevoked = async (clientId: string, clientSecret: string): Promise<boolean> =>
    (await applications.findSecret(clientId, secrets.digestOf(clientSecret)))?.revokedAt != null;

  return {
    list: directory.list,
    count: directory.count,
    get: directory.get,
    change: directory.change,
    listClientSecrets: directory.listClientSecrets,
    createFirstApplication,
    create,
    addClientSecret,
    revokeClientSecret,
    verifyClient,
    isRevoked,
    issueAccessToken: tokens.issue,
    /**
     * True for an access token that this service issued, even an expired one. Presenting such a token is not guessing,
     * so it does not count as a failed sign-in.
     */
    isOurs: tokens.isOurs,
    /** Returns the cached bearer of an access token without waiting. Returns `undefined` if the token is not cached. */
    cached: tokens.cached,
    authenticate: tokens.authenticate,
  };
}

export type Applications = ReturnType<typeof createApplications>;

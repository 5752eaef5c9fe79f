import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import { newClientSecret } from './client-secret.js';
import { newId, newToken, type Random } from './random.js';
import type { RootKey } from './root-key.js';

export interface ApplicationsParts {
  readonly storage: Pick<Storage, 'applications' | 'accessTokens'>;
  readonly rootKey: RootKey;
  readonly now: () => number;
  readonly random: Random;
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

export interface Client {
  readonly applicationId: string;
  readonly clientSecretId: string;
}

export interface AccessToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

const TOKEN_LIFE_MS = 15 * 60_000;
const CACHE_MS = 5000;
const SHORTEST_SECRET = 8;

const unauthorized = (message: string) => new ServiceError('unauthorized', message);

function checkGiven({ clientId, clientSecret }: FirstApplication): void {
  const isPlain = (value: string) => /^[\x21-\x7e]{1,256}$/.test(value);
  if (clientId !== undefined && !isPlain(clientId)) {
    throw new ServiceError(
      'invalid_request',
      'SVC_FIRST_CLIENT_ID may hold visible ASCII characters only, 256 at most.',
    );
  }
  if (clientSecret !== undefined && (!isPlain(clientSecret) || clientSecret.length < SHORTEST_SECRET)) {
    throw new ServiceError(
      'invalid_request',
      `SVC_FIRST_CLIENT_SECRET must have ${SHORTEST_SECRET} to 256 visible ASCII characters; leave it out to get a random one.`,
    );
  }
}

/** Applications, their client secrets and their access tokens. Only digests are stored. */
export function createApplications({ storage, rootKey, now, random }: ApplicationsParts) {
  const { applications, accessTokens } = storage;
  const live = new LRUCache<string, { applicationId: string; expiresAt: number }>({
    max: 10_000,
    ttl: CACHE_MS,
    perf: { now },
    ttlResolution: 0,
  });
  const secretDigest = (clientSecret: string) => rootKey.digest('client secret', clientSecret);
  const tokenDigest = (token: string) => rootKey.digest('access token', token);
  const dummy = secretDigest('');
  let revocations = 0;

  const secretRow = (applicationId: string, clientSecret: string) => ({
    id: newId('secret', random),
    applicationId,
    digest: secretDigest(clientSecret),
    createdAt: now(),
    revokedAt: null,
  });

  return {
    /** Makes the first application unless there is one, and says what its client id is. */
    async createFirstApplication(given: FirstApplication): Promise<FirstCredentials> {
      const existing = await applications.first();
      if (existing) return { clientId: existing.id };
      checkGiven(given);
      const clientId = given.clientId ?? newId('app', random);
      const clientSecret = given.clientSecret ?? newClientSecret(random);
      const application = { id: clientId, name: given.name, createdAt: now() };
      await applications.insert(application, secretRow(clientId, clientSecret));
      return { clientId, clientSecret };
    },

    /** A second secret beside the first, for a rotation. */
    async addClientSecret(applicationId: string): Promise<{ id: string; clientSecret: string }> {
      const clientSecret = newClientSecret(random);
      const row = secretRow(applicationId, clientSecret);
      if (await applications.addSecret(row)) return { id: row.id, clientSecret };
      throw new ServiceError('conflict', 'The application has two client secrets already: revoke one first.');
    },

    /** Ends the secret and every access token that was issued for it. */
    async revokeClientSecret(applicationId: string, clientSecretId: string): Promise<void> {
      const revoked = await applications.revokeSecret(applicationId, clientSecretId, now());
      revocations += 1;
      live.clear();
      if (!revoked)
        throw new ServiceError('not_found', `There is no live client secret "${clientSecretId}".`);
    },

    /** Does the same work for an unknown id, a wrong secret and a right one. */
    async verifyClient(clientId: string, clientSecret: string): Promise<Client> {
      const rows = await applications.liveSecrets(clientId);
      const presented = Buffer.from(secretDigest(clientSecret));
      const [first, second] = [rows[0], rows[1]].map((row) =>
        timingSafeEqual(presented, Buffer.from(row?.digest ?? dummy)) ? row : undefined,
      );
      const match = first ?? second;
      if (!match) throw unauthorized('The client id or the client secret is not right.');
      return { applicationId: match.applicationId, clientSecretId: match.id };
    },

    async issueAccessToken({ applicationId, clientSecretId }: Client): Promise<AccessToken> {
      const accessToken = `svc_at_${newToken(random)}`;
      const expiresAt = now() + TOKEN_LIFE_MS;
      await accessTokens.deleteExpired(now());
      await accessTokens.insert({
        digest: tokenDigest(accessToken),
        applicationId,
        clientSecretId,
        expiresAt,
      });
      return { accessToken, expiresIn: TOKEN_LIFE_MS / 1000 };
    },

    /** The application of an access token; a good answer is kept for at most 5 s. */
    async authenticate(accessToken: string): Promise<{ applicationId: string }> {
      const digest = tokenDigest(accessToken);
      const seen = revocations;
      const token = live.get(digest) ?? (await accessTokens.findLive(digest, now()));
      if (!token || token.expiresAt <= now()) {
        throw unauthorized(
          'The access token is not valid or has expired: get a new one from POST /oauth/token.',
        );
      }
      const { applicationId, expiresAt } = token;
      // A secret that was revoked while the row was read must not come back into the cache.
      if (seen === revocations && !live.has(digest)) live.set(digest, { applicationId, expiresAt });
      return { applicationId };
    },
  };
}

export type Applications = ReturnType<typeof createApplications>;

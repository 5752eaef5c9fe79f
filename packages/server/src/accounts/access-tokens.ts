import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import { newToken, type Random } from './random.js';
import type { RootKey } from './root-key.js';

export interface AccessTokensParts {
  readonly storage: Pick<Storage, 'accessTokens'>;
  readonly rootKey: RootKey;
  readonly now: () => number;
  readonly random: Random;
}

/** An application that has shown one of its client secrets. */
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

/** Opaque tokens of 15 minutes. Only their digests are stored. */
export function createAccessTokens({ storage, rootKey, now, random }: AccessTokensParts) {
  const { accessTokens } = storage;
  const cache = { max: 10_000, ttl: CACHE_MS, perf: { now }, ttlResolution: 0 };
  const live = new LRUCache<string, { applicationId: string; expiresAt: number }>(cache);
  const digestOf = (token: string) => rootKey.digest('access token', token);
  let clearings = 0;

  return {
    async issue({ applicationId, clientSecretId }: Client): Promise<AccessToken> {
      const accessToken = `svc_at_${newToken(random)}`;
      const expiresAt = now() + TOKEN_LIFE_MS;
      await accessTokens.deleteExpired(now());
      await accessTokens.insert({ digest: digestOf(accessToken), applicationId, clientSecretId, expiresAt });
      return { accessToken, expiresIn: TOKEN_LIFE_MS / 1000 };
    },

    /** A good answer is kept for 5 s at most. */
    async authenticate(accessToken: string): Promise<{ applicationId: string }> {
      const digest = digestOf(accessToken);
      const before = clearings;
      const token = live.get(digest) ?? (await accessTokens.findLive(digest, now()));
      if (!token || token.expiresAt <= now()) {
        throw new ServiceError(
          'unauthorized',
          'The access token is not valid or has expired: get a new one from POST /oauth/token.',
        );
      }
      const { applicationId, expiresAt } = token;
      // A secret that was revoked while the row was read must not come back into the cache.
      if (before === clearings && !live.has(digest)) live.set(digest, { applicationId, expiresAt });
      return { applicationId };
    },

    /** Must be called after every revocation in this process. */
    clearCache(): void {
      clearings += 1;
      live.clear();
    },
  };
}

import { hash } from 'node:crypto';
import { createTtlCache } from '../concurrency/ttl-cache.js';
import { ServiceError } from '../errors.js';
import type { AccessTokenRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { newToken, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import { isSigned, signToken } from '../vault/sign-token.js';

export interface AccessTokensParts {
  readonly storage: Pick<Storage, 'accessTokens'>;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

/** Application that has authenticated with one of its client secrets. */
export interface Client {
  readonly applicationId: string;
  readonly clientSecretId: string;
}

export interface AccessToken {
  readonly accessToken: string;
  /** Lifetime of the access token in seconds. */
  readonly expiresIn: number;
}

const TOKEN_LIFE_MS = 15 * 60_000;
/** Format of an access token: 256 random bits, then an HMAC of them that only this service can compute. */
const FORM = /^svc_at_([\w-]{65})$/;
const SEAL = 'access token seal';

/** Creates opaque access tokens with a lifetime of 15 minutes. The database stores only digests of the tokens. */
export function createAccessTokens({ storage, digest, now, random }: AccessTokensParts) {
  const { accessTokens } = storage;
  const cache = createTtlCache<AccessTokenRow>({
    now,
    lengthOf: (row) => row.digest.length + row.applicationId.length + row.clientSecretId.length,
  });
  const digestOf = (token: string) => digest('access token', token);

  /**
   * Returns true if this service issued the token, even if it has expired. The token contains an HMAC that nobody else
   * can compute.
   */
  function isOurs(accessToken: string): boolean {
    const [, signed] = FORM.exec(accessToken) ?? [];
    return signed !== undefined && isSigned(digest, SEAL, signed);
  }

  const refused = () =>
    new ServiceError(
      'unauthorized',
      'The access token is invalid or has expired. Get a new one from POST /oauth/token.',
    );

  async function find(accessToken: string): Promise<AccessTokenRow> {
    // Forged tokens fail the HMAC check, so they cause no database query.
    const token = isOurs(accessToken) && (await accessTokens.findLive(digestOf(accessToken), now()));
    if (token) return token;
    throw refused();
  }

  // The cache is only in memory, so a plain hash is sufficient for its keys. It is several times faster than an HMAC.
  const keyOf = (accessToken: string) => hash('sha256', accessToken, 'base64url');

  return {
    isOurs,

    async issue({ applicationId, clientSecretId }: Client): Promise<AccessToken> {
      const accessToken = `svc_at_${signToken(digest, SEAL, newToken(random))}`;
      const expiresAt = now() + TOKEN_LIFE_MS;
      await accessTokens.insert({ digest: digestOf(accessToken), applicationId, clientSecretId, expiresAt });
      return { accessToken, expiresIn: TOKEN_LIFE_MS / 1000 };
    },

    /**
     * Returns the application of an access token from the cache; `undefined` if `authenticate` must look the token up.
     * A valid token is cached for at most 5 s.
     */
    cached(accessToken: string): Client | undefined {
      const token = cache.get(keyOf(accessToken));
      return token !== undefined && token.expiresAt > now() ? token : undefined;
    },

    async authenticate(accessToken: string): Promise<Client> {
      const key = keyOf(accessToken);
      const token =
        cache.get(key) ??
        (await cache.fillOnce(
          key,
          () => find(accessToken),
          () => key,
        ));
      if (token.expiresAt <= now()) throw refused();
      return { applicationId: token.applicationId, clientSecretId: token.clientSecretId };
    },

    /**
     * Clears the cache. The service must call this after each revocation in this process, because the cache would still
     * accept the token.
     */
    clearCache: (): void => cache.clear(),
  };
}

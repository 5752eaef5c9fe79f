import { hash } from 'node:crypto';
import { parseJson } from '@svc/catalog';
import { createTtlCache } from '../concurrency/ttl-cache.js';
import { ServiceError } from '../errors.js';
import {
  type Page,
  type PageRequest,
  pageSizeOf,
  type RowCount,
  readCursor,
  type TimeOrder,
  toPage,
} from '../page.js';
import type { Commit } from '../records/commit.js';
import type { Storage } from '../storage/storage.js';
import type { NarrowedTokenRow, TokenKind } from '../storage/token-rows.js';
import { isoTime } from '../text/iso-time.js';
import { newId, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import type { Client } from './access-tokens.js';
import { isOfGrant, issueToken, type TokenChain, verifyToken } from './token-chain.js';
import { expiryOf, findInvalidLimit, isTokenLimits, type TokenLimits } from './token-limits.js';

export interface NarrowedTokensParts {
  readonly storage: Pick<Storage, 'agentGrants' | 'narrowedTokens'>;
  readonly commit: Commit;
  readonly digest: Digest;
  /** Base URL of this service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

/**
 * Caller that a bearer token identifies: an application, or the bearer of a narrowed token. A narrowed token is an API
 * token with limits, so it gives only a part of the application's rights.
 */
export interface Bearer extends Pick<Client, 'applicationId'> {
  /** Id of the client secret that created the token. Absent for tokens that a user granted to an MCP client. */
  readonly clientSecretId?: string | undefined;
  /** Content of the narrowed token. Absent if the caller is the application itself. */
  readonly token?: TokenChain | undefined;
}

/** Input of an application that creates a narrowed token: the user and further limits. */
export interface TokenInput extends Omit<TokenLimits, 'expiresAt' | 'readOnly'> {
  readonly identifier: string;
  readonly readOnly?: boolean;
  /** Lifetime of the new token in seconds. */
  readonly expiresIn: number;
}

/** Narrowed token that was just created. Only this response contains the token itself. */
export interface IssuedToken {
  readonly token: string;
  readonly id: string;
  readonly expiresAt: string;
}

/**
 * Description of a narrowed token in a list. The token itself is not included, because the service does not store it.
 */
export interface ListedToken {
  readonly id: string;
  readonly limits: Omit<TokenLimits, 'expiresAt'>;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Time of the revocation. `null` if the token is not revoked. */
  readonly revokedAt: string | null;
}

export interface TokenFilter extends PageRequest {
  /** Identifier of the user whose tokens are listed. */
  readonly identifier?: string | undefined;
  readonly order?: TimeOrder | undefined;
}

/**
 * Maximum length of a token that the service creates, in characters. The other half of `MAX_TOKEN_CHARACTERS` is free
 * for limits that token bearers add.
 */
const MAX_ISSUED_CHARACTERS = 4096;

function toListed({ id, limits, createdAt, expiresAt, revokedAt }: NarrowedTokenRow): ListedToken {
  // The cast is safe, because only this module writes the `limits` column.
  const { expiresAt: _, ...others } = parseJson(limits) as TokenLimits;
  return {
    id,
    limits: others,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    revokedAt: revokedAt === null ? null : isoTime(revokedAt),
  };
}

const refused = (): ServiceError =>
  new ServiceError(
    'unauthorized',
    'The token is invalid, has expired or was revoked. Get a new one from its issuer.',
  );

interface LiveToken {
  readonly bearer: Bearer;
  /** Expiry of the token in epoch milliseconds. */
  readonly expiresAt: number;
  readonly length: number;
}

function createLiveTokens({ storage, digest, now }: Pick<NarrowedTokensParts, 'storage' | 'digest' | 'now'>) {
  const cache = createTtlCache<LiveToken>({ now, lengthOf: ({ length }) => length });
  const keyOf = (token: string) => hash('sha256', token, 'base64url');

  /** Looks up a token in the database. Verifies the token's HMACs first, so that a forged token causes no query. */
  async function find(token: string): Promise<LiveToken> {
    const chain = verifyToken(digest, token);
    const table = chain && isOfGrant(chain) ? storage.agentGrants : storage.narrowedTokens;
    // Expired tokens are refused here, before the database query.
    if (chain === undefined || expiryOf(chain.links) * 1000 <= now()) throw refused();
    const row = await table.findLive(chain.id, now());
    if (!row) throw refused();
    // Estimated size of the cache entry. The decoded limits need about the same memory as the token.
    const length = 2 * token.length;
    return {
      bearer: { applicationId: row.applicationId, token: chain },
      expiresAt: expiryOf(chain.links) * 1000,
      length,
    };
  }

  return {
    /**
     * Returns true if this service issued the token, even if it has expired. The token contains HMACs that nobody else
     * can compute.
     */
    isOurs: (token: string): boolean => verifyToken(digest, token) !== undefined,
    /** Returns the bearer of a narrowed token from the cache; `undefined` if `authenticate` must look the token up. */
    cached: (token: string): Bearer | undefined => {
      const entry = cache.get(keyOf(token));
      return entry && entry.expiresAt > now() ? entry.bearer : undefined;
    },
    authenticate: async (token: string): Promise<Bearer> => {
      const key = keyOf(token);
      const entry =
        cache.get(key) ??
        (await cache.fill(
          () => find(token),
          () => key,
        ));
      if (entry.expiresAt <= now()) throw refused();
      return entry.bearer;
    },
    /**
     * Clears the cache. The service must call this after each revocation in this process, because the cache would still
     * accept the token.
     */
    clearCache: (): void => cache.clear(),
  };
}

/**
 * Creates narrowed tokens: API tokens with limits, for browsers and agents. An application sets their limits, and
 * bearers can add limits offline.
 */
export function createNarrowedTokens(parts: NarrowedTokensParts) {
  const { storage, commit, digest, environmentUrl, now, random } = parts;
  const live = createLiveTokens({ storage, digest, now });

  function toLimits({
    expiresIn,
    readOnly,
    ...given
  }: TokenInput): TokenLimits & { readonly expiresAt: number } {
    const expiresAt = Math.floor(now() / 1000) + expiresIn;
    const limits = { ...given, ...(readOnly && { readOnly }), expiresAt };
    const { audience = environmentUrl } = limits;
    if (audience !== environmentUrl && !audience.startsWith(`${environmentUrl}/`))
      throw new ServiceError(
        'invalid_request',
        `The "audience" is not a URL of this service. Use ${environmentUrl} or the URL of an endpoint, such as ${environmentUrl}/v1.`,
      );
    if (isTokenLimits(limits)) return limits;
    throw new ServiceError(
      'invalid_request',
      `The limit "${findInvalidLimit(limits)}" of the token is unknown or has an invalid value. Correct or omit it.`,
    );
  }

  async function issue(
    { applicationId, clientSecretId }: Client,
    kind: TokenKind,
    input: TokenInput,
  ): Promise<IssuedToken> {
    const limits = toLimits(input);
    const id = newId('tok', random);
    const token = issueToken(digest, id, limits);
    if (token.length > MAX_ISSUED_CHARACTERS)
      throw new ServiceError(
        'invalid_request',
        `A token with these limits would be longer than ${MAX_ISSUED_CHARACTERS} characters. Shorten the lists in the limits.`,
      );
    const expiresAt = limits.expiresAt * 1000;
    await commit(async (tables, audit) => {
      await tables.narrowedTokens.insert({
        id,
        applicationId,
        clientSecretId,
        kind,
        identifier: input.identifier,
        limits: JSON.stringify(limits),
        createdAt: now(),
        expiresAt,
        revokedAt: null,
      });
      await tables.namedUsers.add([{ applicationId, identifier: input.identifier, seenAt: now() }]);
      audit({ action: `${kind}_token.created`, applicationId, object: id });
    });
    return { token, id, expiresAt: isoTime(expiresAt) };
  }

  /** Lists narrowed tokens, newest first by default. */
  async function list(
    applicationId: string,
    kind: TokenKind,
    { identifier, order, ...page }: TokenFilter,
  ): Promise<Page<ListedToken>> {
    const cursor = readCursor(page);
    const after = cursor && { createdAt: cursor.at, id: cursor.id };
    const rows = await storage.narrowedTokens.list(applicationId, {
      kind,
      identifier,
      oldestFirst: order === 'oldest',
      after,
      limit: pageSizeOf(page) + 1,
    });
    return toPage(rows, page, { keys: (row) => [String(row.createdAt), row.id], item: toListed });
  }

  const count = (applicationId: string, kind: TokenKind, { identifier }: TokenFilter): Promise<RowCount> =>
    storage.narrowedTokens.countListed(applicationId, { kind, identifier });

  /** Revokes a narrowed token and all tokens that were derived from it. */
  async function revoke(applicationId: string, kind: TokenKind, id: string): Promise<void> {
    const revoked = await commit(async (tables, audit) => {
      const row = await tables.narrowedTokens.revoke({ applicationId, kind, id }, now());
      if (row) audit({ action: `${kind}_token.revoked`, applicationId, object: id });
      return row;
    });
    live.clearCache();
    if (!revoked)
      throw new ServiceError(
        'not_found',
        `There is no ${kind} token "${id}", or it is already revoked. GET /v1/${kind}-tokens lists the tokens.`,
      );
  }

  return {
    issue,
    list,
    count,
    revoke,
    isOurs: live.isOurs,
    cached: live.cached,
    authenticate: live.authenticate,
    clearCache: live.clearCache,
  };
}

export type NarrowedTokens = ReturnType<typeof createNarrowedTokens>;

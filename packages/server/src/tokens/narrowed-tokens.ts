import { hash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import { createBriefCache } from '../storage/brief-cache.js';
import type { Storage } from '../storage/storage.js';
import type { NarrowedTokenRow, TokenKind } from '../storage/token-rows.js';
import type { Digest } from '../vault/pepper.js';
import type { Client } from './access-tokens.js';
import { isOfGrant, issueToken, type TokenChain, verifyToken } from './token-chain.js';
import { endOf, isTokenLimits, type TokenLimits } from './token-limits.js';

export interface NarrowedTokensParts {
  readonly storage: Pick<Storage, 'agentGrants' | 'narrowedTokens'>;
  readonly commit: Commit;
  readonly digest: Digest;
  /** Without a slash at the end. */
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

/** Whoever shows a token: an application, or somebody to whom it gave a part of what it may do. */
export interface Bearer extends Pick<Client, 'applicationId'> {
  /** With which it, or its token, was asked for; what a user granted depends on none. */
  readonly clientSecretId?: string | undefined;
  /** Of a narrowed token; without one the bearer is the application itself. */
  readonly token?: TokenChain | undefined;
}

/** What an application asks for: a user, and what else is limited. */
export interface TokenWish extends Omit<TokenLimits, 'expiresAt' | 'readOnly'> {
  readonly identifier: string;
  readonly readOnly?: boolean;
  /** Seconds. */
  readonly expiresIn: number;
}

/** It is shown once, where it is made. */
export interface IssuedToken {
  readonly token: string;
  readonly id: string;
  readonly expiresAt: string;
}

/** A token without itself. */
export interface ListedToken {
  readonly id: string;
  readonly limits: Omit<TokenLimits, 'expiresAt'>;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** `null` while it is not revoked. */
  readonly revokedAt: string | null;
}

/** Tokens for browsers and agents: limits of an application, which their holders narrow further without asking. */
export interface NarrowedTokens {
  issue(client: Client, kind: TokenKind, wish: TokenWish): Promise<IssuedToken>;
  /** Newest first. */
  list(applicationId: string, kind: TokenKind, page: PageRequest): Promise<Page<ListedToken>>;
  /** Ends it, and every token that was made from it. */
  revoke(applicationId: string, kind: TokenKind, id: string): Promise<void>;
  /** What `authenticate` would give, when it is at hand. */
  held(token: string): Bearer | undefined;
  authenticate(token: string): Promise<Bearer>;
  /** Must be called after every revocation in this process. */
  clearCache(): void;
}

/** Leaves room for as much again that holders add. */
const LONGEST_ISSUED = 4096;

const toTime = (ms: number): string => new Date(ms).toISOString();

function toListed({ id, limits, createdAt, expiresAt, revokedAt }: NarrowedTokenRow): ListedToken {
  // This module wrote it.
  const { expiresAt: _, ...shown }: TokenLimits = JSON.parse(limits);
  const revoked = revokedAt === null ? null : toTime(revokedAt);
  return {
    id,
    limits: shown,
    createdAt: toTime(createdAt),
    expiresAt: toTime(expiresAt),
    revokedAt: revoked,
  };
}

const refused = (): ServiceError =>
  new ServiceError(
    'unauthorized',
    'The token is not valid, has expired or was revoked: ask whoever gave it to you for a new one.',
  );

interface Live {
  readonly bearer: Bearer;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  readonly length: number;
}

/** Which tokens are good right now. */
function createLive({ storage, digest, now }: NarrowedTokensParts) {
  const live = createBriefCache<Live>({ now, lengthOf: ({ length }) => length });
  const keyOf = (token: string) => hash('sha256', token, 'base64url');

  // The seals first: for a token that was forged nothing is read.
  async function find(token: string): Promise<Live> {
    const chain = verifyToken(digest, token);
    const table = chain && isOfGrant(chain) ? storage.agentGrants : storage.narrowedTokens;
    const row = chain && (await table.findLive(chain.id, now()));
    if (!row) throw refused();
    // What its links say takes about as much again as the token.
    const length = 2 * token.length;
    return {
      bearer: { applicationId: row.applicationId, token: chain },
      endsAt: endOf(chain.links) * 1000,
      length,
    };
  }

  return {
    held: (token: string): Bearer | undefined => {
      const found = live.get(keyOf(token));
      return found && found.endsAt > now() ? found.bearer : undefined;
    },
    authenticate: async (token: string): Promise<Bearer> => {
      const key = keyOf(token);
      const found =
        live.get(key) ??
        (await live.fill(
          () => find(token),
          () => key,
        ));
      if (found.endsAt <= now()) throw refused();
      return found.bearer;
    },
    clearCache: (): void => live.clear(),
  };
}

export function createNarrowedTokens(parts: NarrowedTokensParts): NarrowedTokens {
  const { storage, commit, digest, environmentUrl, now, random } = parts;
  const live = createLive(parts);

  function toLimits({
    expiresIn,
    readOnly,
    ...wish
  }: TokenWish): TokenLimits & { readonly expiresAt: number } {
    const expiresAt = Math.floor(now() / 1000) + expiresIn;
    const limits = { ...wish, ...(readOnly && { readOnly }), expiresAt };
    const { audience = environmentUrl } = limits;
    if (audience !== environmentUrl && !audience.startsWith(`${environmentUrl}/`))
      throw new ServiceError(
        'invalid_request',
        `The audience is the URL of this service, or of one of its doors: ${environmentUrl}, ${environmentUrl}/v1, ….`,
      );
    if (isTokenLimits(limits)) return limits;
    throw new ServiceError('invalid_request', 'A limit of the token is not one that can be kept.');
  }

  return {
    async issue({ applicationId, clientSecretId }, kind, wish) {
      const limits = toLimits(wish);
      const id = newId('tok', random);
      const token = issueToken(digest, id, limits);
      if (token.length > LONGEST_ISSUED)
        throw new ServiceError(
          'invalid_request',
          `A token with these limits is longer than ${LONGEST_ISSUED}.`,
        );
      const expiresAt = limits.expiresAt * 1000;
      await commit(async (tables, tell) => {
        await tables.narrowedTokens.insert({
          id,
          applicationId,
          clientSecretId,
          kind,
          limits: JSON.stringify(limits),
          createdAt: now(),
          expiresAt,
          revokedAt: null,
        });
        tell({ action: `${kind}_token.created`, applicationId, object: id });
      });
      return { token, id, expiresAt: toTime(expiresAt) };
    },

    async list(applicationId, kind, page) {
      const place = readCursor(page);
      const before = place && { createdAt: place.at, id: place.id };
      const rows = await storage.narrowedTokens.list(applicationId, {
        kind,
        before,
        limit: pageSizeOf(page) + 1,
      });
      return toPage(rows, page, { keys: (row) => [String(row.createdAt), row.id], item: toListed });
    },

    async revoke(applicationId, kind, id) {
      const revoked = await commit(async (tables, tell) => {
        const row = await tables.narrowedTokens.revoke({ applicationId, kind, id }, now());
        if (row) tell({ action: `${kind}_token.revoked`, applicationId, object: id });
        return row;
      });
      live.clearCache();
      if (!revoked)
        throw new ServiceError('not_found', `There is no ${kind} token "${id}" that is not revoked.`);
    },

    ...live,
  };
}

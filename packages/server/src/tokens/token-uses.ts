import { hash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import type { Bearer } from './narrowed-tokens.js';
import { isOfGrant, type TokenChain } from './token-chain.js';
import {
  type BrokenLimit,
  expiryOf,
  findBrokenByName,
  findBrokenLimit,
  limitsNeedApproval,
  type TokenUse,
} from './token-limits.js';

type Tables = Pick<Storage, 'agentGrants' | 'narrowedTokens'>;

export interface TokenUsesParts {
  readonly storage: Pick<Storage, 'agentGrants' | 'narrowedTokens' | 'transaction'>;
  /** Base URL of this service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/** Path of the endpoint that a client calls, relative to the base URL of the service. */
export type Endpoint = '/v1' | '/mcp' | `/mcp/${string}`;

/** Narrowed token, and the endpoint at which a client presented it. */
export interface PresentedToken {
  readonly applicationId: string;
  readonly token: TokenChain;
  readonly endpoint: Endpoint;
}

/** Returns the narrowed token of a caller. Returns `undefined` if the caller is the application itself. */
export const presentedBy = (
  { applicationId, token }: Bearer,
  endpoint: Endpoint,
): PresentedToken | undefined => token && { applicationId, token, endpoint };

/**
 * Returns true if the number of calls with the token is limited. A token can be derived from another token, so each set
 * of limits in this chain is searched.
 */
export const countsCalls = ({ token }: PresentedToken): boolean =>
  token.links.some(({ maxCalls }) => maxCalls !== undefined);

/** Returns the name of a caller for the audit log. */
export const actorOf = ({ applicationId, token }: Bearer): string =>
  token === undefined ? applicationId : `token:${token.id}`;

type Used = Pick<TokenUse, 'account' | 'tool' | 'proxied'>;

export interface AllowedCall {
  /** True if a person must approve the call before it runs. */
  readonly needsApproval: boolean;
  /**
   * Counts the call against `maxCalls` of the token. Must be called when the tool runs. Throws not_permitted if no
   * calls remain.
   */
  readonly count: () => Promise<void>;
}

const notPermitted = ({ limit, message }: BrokenLimit): ServiceError =>
  new ServiceError(
    'not_permitted',
    `${message} Ask the issuer of the token for a token that allows this call.`,
    { limit },
  );

// Proxied requests cannot be approved by a person, because the approval page cannot describe their effect. Only the
// upstream knows the effect.
const notInWords = (): ServiceError =>
  new ServiceError(
    'not_permitted',
    'The token requires approval for this call, but the approval page cannot describe proxied requests. Call a tool instead.',
    { limit: 'approve' },
  );

/**
 * Maximum number of stored call counts for one token that the service issued. Bearers can derive any number of tokens
 * with the limit `maxCalls` offline. The count of each is stored until the token expires.
 */
const MAX_COUNTS = 10_000;

const tooManyCounts = (): ServiceError =>
  new ServiceError(
    'not_permitted',
    `More than ${MAX_COUNTS} tokens with the limit "maxCalls" were derived from one issued token. Derive tokens from another issued token, or omit "maxCalls".`,
    { limit: 'maxCalls' },
  );

const NO_CALLS_LEFT: BrokenLimit = { limit: 'maxCalls', message: 'The token has no calls left.' };

// The database stores the SHA-256 of a token's seal (its HMAC) instead of the seal, because a bearer of the seal could
// create tokens.
const digestOf = (seal: string): string => hash('sha256', seal, 'base64url');

/** Checks uses of narrowed tokens. All methods throw not_permitted if the token does not allow the use. */
export function createTokenUses({ storage, environmentUrl, now }: TokenUsesParts) {
  const at = (endpoint: Endpoint) => ({ at: now(), audience: environmentUrl + endpoint });

  function check({ token: { links }, endpoint }: PresentedToken, used: Used): TokenUse {
    const use = { ...used, ...at(endpoint) };
    const limit = findBrokenLimit(links, use);
    if (limit) throw notPermitted(limit);
    return use;
  }

  /**
   * Returns a call count for each limit `maxCalls` of the token. A limit has one count, which all tokens derived from
   * the token with this limit share.
   */
  const countsOf = ({ applicationId, token: { id, links, seals } }: PresentedToken) =>
    links.flatMap(({ maxCalls }, index) => {
      if (maxCalls === undefined) return [];
      const expiresAt = expiryOf(links.slice(0, 1)) * 1000;
      const sealDigest = digestOf(seals[index] ?? '');
      const calls = { applicationId, tokenId: id, sealDigest, expiresAt };
      return [{ calls, most: maxCalls, isOfHolder: index > 0 }];
    });

  async function count(presented: PresentedToken): Promise<void> {
    const counts = countsOf(presented);
    if (counts.length === 0) return;
    const isOver = counts.some(({ most }) => most === 0);
    if (isOver) throw notPermitted(NO_CALLS_LEFT);
    // Increments the call counts of all limits `maxCalls` of the token. Several counts are incremented in one
    // transaction, all or none. Their order is fixed, because concurrent calls could otherwise deadlock.
    const countAll = async ({ agentGrants, narrowedTokens }: Tables) => {
      const table = isOfGrant(presented.token) ? agentGrants : narrowedTokens;
      for (const { calls, most, isOfHolder } of counts) {
        const used = await table.countCall(calls, most);
        if (used === undefined) throw notPermitted(NO_CALLS_LEFT);
        if (!isOfHolder || used > 1) continue;
        if ((await table.countLinks(calls.applicationId, calls.tokenId)) > MAX_COUNTS) throw tooManyCounts();
      }
    };
    const isAlone = counts.length === 1 && counts[0]?.isOfHolder === false;
    await (isAlone ? countAll(storage) : storage.transaction(countAll));
  }

  /**
   * Checks whether the token's limits allow a user and a connection. Runs before the connected account is read, so that
   * bearers learn nothing about accounts of other users.
   */
  function checkName(
    { token: { links }, endpoint }: PresentedToken,
    name: Omit<Used['account'], 'id'>,
  ): void {
    const limit = findBrokenByName(links, { ...name, ...at(endpoint) });
    if (limit) throw notPermitted(limit);
  }

  /** Checks that the token may read data of a connected account. */
  function checkAccount(presented: PresentedToken, account: Used['account']): void {
    check(presented, { account });
  }

  /** Checks a tool call just before the tool runs. */
  function checkCall(presented: PresentedToken, used: Used): AllowedCall {
    const use = check(presented, used);
    return { needsApproval: limitsNeedApproval(presented.token.links, use), count: () => count(presented) };
  }

  /** Checks and counts a proxied request. Refuses the request if it would need a person's approval. */
  async function checkAndCount(presented: PresentedToken, used: Used): Promise<void> {
    const use = check(presented, used);
    if (limitsNeedApproval(presented.token.links, use)) throw notInWords();
    await count(presented);
  }

  return { checkName, checkAccount, checkCall, checkAndCount };
}

export type TokenUses = ReturnType<typeof createTokenUses>;

import { hash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import type { Bearer } from './narrowed-tokens.js';
import { isOfGrant, type TokenChain } from './token-chain.js';
import {
  type BrokenLimit,
  broken,
  endOf,
  findBrokenByName,
  findBrokenLimit,
  needsApproval,
  type TokenUse,
} from './token-limits.js';

type Tables = Pick<Storage, 'agentGrants' | 'narrowedTokens'>;

export interface TokenUsesParts {
  readonly storage: Pick<Storage, 'agentGrants' | 'narrowedTokens' | 'transaction'>;
  /** Without a slash at the end. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/** Where a use came in: what stands after the environment URL in its audience. */
export type Door = '/v1' | '/mcp' | `/mcp/${string}`;

/** A token and where it was shown. */
export interface ShownToken {
  readonly applicationId: string;
  readonly token: TokenChain;
  readonly door: Door;
}

/** What a bearer shows at a door, where it is not the application itself. */
export const shownBy = ({ applicationId, token }: Bearer, door: Door): ShownToken | undefined =>
  token && { applicationId, token, door };

/** Whether the calls of a token are counted. */
export const countsCalls = ({ token }: ShownToken): boolean =>
  token.links.some(({ maxCalls }) => maxCalls !== undefined);

/** What the audit log calls a bearer. */
export const actorOf = ({ applicationId, token }: Bearer): string =>
  token === undefined ? applicationId : `token:${token.id}`;

type Used = Pick<TokenUse, 'account' | 'tool' | 'proxied'>;

/** What holders of narrowed tokens may do. Each throws not_permitted for what a token does not allow. */
export interface TokenUses {
  /** Before an account is looked up, so that nobody learns of accounts of others. */
  checkName(shown: ShownToken, name: Omit<Used['account'], 'id'>): void;
  /** For what is asked about an account. */
  checkAccount(shown: ShownToken, account: Used['account']): void;
  /** For a call of a tool, just before it runs: whether a person has to be asked first, and what counts it then. */
  checkCall(shown: ShownToken, used: Used): AllowedCall;
  /** For a request through the proxy, which nobody can be asked about: checks all limits and counts it. */
  take(shown: ShownToken, used: Used): Promise<void>;
}

export interface AllowedCall {
  readonly mustAsk: boolean;
  /** To be called when it runs. Throws not_permitted when no call is left. */
  readonly count: () => Promise<void>;
}

const notPermitted = ({ limit, message }: BrokenLimit): ServiceError =>
  new ServiceError('not_permitted', `${message} Ask whoever gave it to you for one that does.`, { limit });

// What such a request does is the upstream's to know: no sentence about it can be shown to a person.
const notInWords = (): ServiceError =>
  new ServiceError(
    'not_permitted',
    'The token wants a person to approve such a call first, and a request through the proxy cannot be put into words for them. Use a tool.',
    { limit: 'approve' },
  );

/** Holders make tokens without asking, and each that counts is kept as long as the one that all were made from is good. */
const MOST_COUNTS = 10_000;

const tooManyCounts = (): ServiceError =>
  new ServiceError(
    'not_permitted',
    `From the token more than ${MOST_COUNTS} others were made that count calls: narrow another one, or leave out maxCalls.`,
    { limit: 'maxCalls' },
  );

// With a seal tokens can be made, so what is stored is none.
const digestOf = (seal: string): string => hash('sha256', seal, 'base64url');

export function createTokenUses({ storage, environmentUrl, now }: TokenUsesParts): TokenUses {
  const at = (door: Door) => ({ at: now(), audience: environmentUrl + door });

  function check({ token: { links }, door }: ShownToken, used: Used): TokenUse {
    const use = { ...used, ...at(door) };
    const found = findBrokenLimit(links, use);
    if (found) throw notPermitted(found);
    return use;
  }

  /** Each link that counts has a count of its own, which tokens made from it share: the first link's is the family's. */
  const countsOf = ({ applicationId, token: { id, links, seals } }: ShownToken) =>
    links.flatMap(({ maxCalls }, index) => {
      if (maxCalls === undefined) return [];
      const expiresAt = endOf(links.slice(0, 1)) * 1000;
      const sealDigest = digestOf(seals[index] ?? '');
      const calls = { applicationId, tokenId: id, sealDigest, expiresAt };
      return [{ calls, most: maxCalls, isOfHolder: index > 0 }];
    });

  async function count(shown: ShownToken): Promise<void> {
    const counts = countsOf(shown);
    if (counts.length === 0) return;
    const isOver = counts.some(({ most }) => most === 0);
    if (isOver) throw notPermitted(broken('maxCalls'));
    // All of them or none, and in one order, so that no two calls wait for each other.
    const countAll = async ({ agentGrants, narrowedTokens }: Tables) => {
      const table = isOfGrant(shown.token) ? agentGrants : narrowedTokens;
      for (const { calls, most, isOfHolder } of counts) {
        const used = await table.countCall(calls, most);
        if (used === undefined) throw notPermitted(broken('maxCalls'));
        if (!isOfHolder || used > 1) continue;
        if ((await table.countLinks(calls.applicationId, calls.tokenId)) > MOST_COUNTS) throw tooManyCounts();
      }
    };
    const isAlone = counts.length === 1 && counts[0]?.isOfHolder === false;
    await (isAlone ? countAll(storage) : storage.transaction(countAll));
  }

  return {
    checkName({ token: { links }, door }, name) {
      const found = findBrokenByName(links, { ...name, ...at(door) });
      if (found) throw notPermitted(found);
    },
    checkAccount: (shown, account) => void check(shown, { account }),
    checkCall(shown, used) {
      const use = check(shown, used);
      return { mustAsk: needsApproval(shown.token.links, use), count: () => count(shown) };
    },
    async take(shown, used) {
      const use = check(shown, used);
      if (needsApproval(shown.token.links, use)) throw notInWords();
      await count(shown);
    },
  };
}

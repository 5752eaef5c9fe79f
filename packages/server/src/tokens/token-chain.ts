import { parseJson } from '@svc/catalog';
import { isSame } from '../text/is-same.js';
import { hmac } from '../vault/hmac.js';
import type { Digest } from '../vault/pepper.js';
import { isTokenLimits, type TokenLimits } from './token-limits.js';

/**
 * Content of a narrowed token `svc_nt_<id>.<link>…<link>.<seal>`. A link is a set of limits as JSON in base64url. A
 * seal is an HMAC of a link; its key is the seal of the previous link.
 */
export interface TokenChain {
  /**
   * Id of the token that the service issued, or of a user's grant to an MCP client. All tokens that are derived from it
   * share this id.
   */
  readonly id: string;
  /**
   * Sets of limits (links) of the token, in the order in which they were added. The limits of the application come
   * first.
   */
  readonly links: readonly TokenLimits[];
  /**
   * HMAC (seal) of each set of limits in `links`. A seal also depends on all previous sets, so it identifies them too.
   */
  readonly seals: readonly string[];
}

const PREFIX = 'svc_nt_';
const ID = /^(?:tok|grant)_[0-9a-f]{24}$/;
const OF_GRANT = /^grant_/;
const MAX_LINKS = 16;
/**
 * Maximum length of a narrowed token in characters. It leaves space for the other headers of a request (rule A10 in
 * security-rules.md).
 */
export const MAX_TOKEN_CHARACTERS = 8192;

/** Returns true if a bearer token has the prefix of narrowed tokens. */
export const isNarrowedToken = (token: string): boolean => token.startsWith(PREFIX);

/** Returns true if the token belongs to a grant that a user gave to an MCP client. */
export const isOfGrant = ({ id }: Pick<TokenChain, 'id'>): boolean => OF_GRANT.test(id);

const encode = (limits: TokenLimits): string => Buffer.from(JSON.stringify(limits)).toString('base64url');

function decode(link: string): TokenLimits | undefined {
  try {
    const limits: unknown = parseJson(Buffer.from(link, 'base64url').toString());
    return isTokenLimits(limits) ? limits : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Computes the seal (HMAC) of a token's first set of limits. Only this service can do so, because the HMAC key never
 * leaves it.
 */
const sealFirst = (digest: Digest, id: string, link: string): string =>
  digest('narrowed token', `${id}.${link}`);

/**
 * Computes the seal (HMAC) of a further set of limits. Its key is the last seal in the token, so every bearer can add
 * limits. Bearers cannot remove limits, because they cannot compute an earlier seal from a later one.
 */
const sealNext = (seal: string, link: string): string => hmac(Buffer.from(seal, 'base64url'), link);

/** Creates a narrowed token with these limits. */
export function issueToken(digest: Digest, id: string, limits: TokenLimits): string {
  const link = encode(limits);
  return `${PREFIX}${id}.${link}.${sealFirst(digest, id, link)}`;
}

/**
 * Derives a token with further limits from a narrowed token. `narrowToken` of `@svc/core` does this in clients.
 */
export function narrowToken(token: string, limits: TokenLimits): string {
  const end = token.lastIndexOf('.');
  const link = encode(limits);
  return `${token.slice(0, end)}.${link}.${sealNext(token.slice(end + 1), link)}`;
}

/** Returns true if `verifyToken` refuses the token because it is too long or has too many sets of limits (`links`). */
export const isTooLong = (token: string, links: readonly unknown[]): boolean =>
  token.length > MAX_TOKEN_CHARACTERS || links.length > MAX_LINKS;

/**
 * Verifies and decodes a narrowed token. Returns `undefined` for a forged token or an unknown limit. Expiry and
 * revocation are not checked here.
 */
export function verifyToken(digest: Digest, token: string): TokenChain | undefined {
  if (!isNarrowedToken(token) || token.length > MAX_TOKEN_CHARACTERS) return undefined;
  const [id = '', ...rest] = token.slice(PREFIX.length).split('.');
  const given = rest.pop() ?? '';
  const [first, ...others] = rest;
  if (first === undefined || isTooLong(token, rest) || !ID.test(id)) return undefined;
  const seals = [sealFirst(digest, id, first)];
  for (const link of others) seals.push(sealNext(seals.at(-1) ?? '', link));
  if (!isSame(given, seals.at(-1) ?? '')) return undefined;
  const links = rest.map(decode).filter((limits) => limits !== undefined);
  return links.length === rest.length ? { id, links, seals } : undefined;
}

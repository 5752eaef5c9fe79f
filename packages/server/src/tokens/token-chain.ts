import { parseJson } from '@svc/catalog';
import { isSame } from '../text/is-same.js';
import { hmac } from '../vault/hmac.js';
import type { Digest } from '../vault/pepper.js';
import { isTokenLimits, type TokenLimits } from './token-limits.js';

/** Content of `svc_nt_<id>.<link>…<link>.<seal>`. A link is JSON in base64url. The seal of a link is the key of the next seal. */
export interface TokenChain {
  /** Id of the issued token or of a user's grant. All tokens that were made from it share the id. */
  readonly id: string;
  /** Limits in the order in which they were added: those of the application first. */
  readonly links: readonly TokenLimits[];
  /** Seal of each link. It identifies the link together with all links before it. */
  readonly seals: readonly string[];
}

const PREFIX = 'svc_nt_';
const ID = /^(?:tok|grant)_[0-9a-f]{24}$/;
const OF_GRANT = /^grant_/;
const MOST_LINKS = 16;
/** Leaves room for the other headers of a request (rule A10). */
export const LONGEST_TOKEN = 8192;

/** True if a bearer token has the prefix of narrowed tokens. */
export const isNarrowedToken = (token: string): boolean => token.startsWith(PREFIX);

/** True for a token of a grant, which a user gave to an MCP client. */
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

/** Makes the first seal. Only this service can, because its key never leaves it. */
const sealFirst = (digest: Digest, id: string, link: string): string =>
  digest('narrowed token', `${id}.${link}`);

/** Makes the next seal. Any holder can, but no holder can compute an earlier seal. */
const sealNext = (seal: string, link: string): string => hmac(Buffer.from(seal, 'base64url'), link);

/** Makes a token with these limits. */
export function issueToken(digest: Digest, id: string, limits: TokenLimits): string {
  const link = encode(limits);
  return `${PREFIX}${id}.${link}.${sealFirst(digest, id, link)}`;
}

/** Makes a token that these limits narrow further. `narrowToken` of `@svc/core` does the same in clients. */
export function narrowToken(token: string, limits: TokenLimits): string {
  const end = token.lastIndexOf('.');
  const link = encode(limits);
  return `${token.slice(0, end)}.${link}.${sealNext(token.slice(end + 1), link)}`;
}

/** True for tokens that `verifyToken` refuses because of their length or their number of links. */
export const isTooLong = (token: string, links: readonly unknown[]): boolean =>
  token.length > LONGEST_TOKEN || links.length > MOST_LINKS;

/** Reads a token of this service; `undefined` for forged tokens and unknown limits. Does not check whether it is live. */
export function verifyToken(digest: Digest, token: string): TokenChain | undefined {
  if (!isNarrowedToken(token) || token.length > LONGEST_TOKEN) return undefined;
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

import { isSame } from '../text/is-same.js';
import { hmac } from '../vault/hmac.js';
import type { Digest } from '../vault/pepper.js';
import { isTokenLimits, type TokenLimits } from './token-limits.js';

/** `svc_nt_<id>.<link>…<link>.<seal>`: each link is JSON in base64url, and the seal of one link is the key of the next. */
export interface TokenChain {
  /** Of the token that an application was given, or of what a user granted; all that were made from it have the same one. */
  readonly id: string;
  /** From the application's own to the last holder's. */
  readonly links: readonly TokenLimits[];
  /** One for each link: what tells it, with all links before it, from every other one. */
  readonly seals: readonly string[];
}

const PREFIX = 'svc_nt_';
const ID = /^(?:tok|grant)_[0-9a-f]{24}$/;
const OF_GRANT = /^grant_/;
const MOST_LINKS = 16;
/** Beside the other headers of a request (rule A10). */
export const LONGEST_TOKEN = 8192;

/** Whether a bearer token claims to be one of these. */
export const isNarrowedToken = (token: string): boolean => token.startsWith(PREFIX);

/** Whether a token is one of an MCP client, which its user gave it, and not the application. */
export const isOfGrant = ({ id }: Pick<TokenChain, 'id'>): boolean => OF_GRANT.test(id);

const encode = (limits: TokenLimits): string => Buffer.from(JSON.stringify(limits)).toString('base64url');

function decode(link: string): TokenLimits | undefined {
  try {
    const limits: unknown = JSON.parse(Buffer.from(link, 'base64url').toString());
    return isTokenLimits(limits) ? limits : undefined;
  } catch {
    return undefined;
  }
}

/** Only the service can make the first seal: its key never leaves it. */
const sealFirst = (digest: Digest, id: string, link: string): string =>
  digest('narrowed token', `${id}.${link}`);

/** Whoever has a token can make the next seal, and from no seal the one before it. */
const sealNext = (seal: string, link: string): string => hmac(Buffer.from(seal, 'base64url'), link);

/** Makes a token that may do what the limits say. */
export function issueToken(digest: Digest, id: string, limits: TokenLimits): string {
  const link = encode(limits);
  return `${PREFIX}${id}.${link}.${sealFirst(digest, id, link)}`;
}

/** A token that may do what this one may and these limits too; `narrowToken` of `@svc/core` does the same elsewhere. */
export function narrowToken(token: string, limits: TokenLimits): string {
  const end = token.lastIndexOf('.');
  const link = encode(limits);
  return `${token.slice(0, end)}.${link}.${sealNext(token.slice(end + 1), link)}`;
}

/** Whether it is more than is read of any token. */
export const isTooLong = (token: string, links: readonly unknown[]): boolean =>
  token.length > LONGEST_TOKEN || links.length > MOST_LINKS;

/** What a token says, when it is one of this service and every word of it is known; whether it still lives is not told. */
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

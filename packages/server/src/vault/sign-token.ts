import { isSame } from '../text/is-same.js';
import type { Digest } from './pepper.js';

const SEAL_LENGTH = 22;

const sealOf = (digest: Digest, purpose: string, body: string): string =>
  digest(purpose, body).slice(0, SEAL_LENGTH);

/**
 * Appends an HMAC of 132 bits to a random text. By the HMAC, `isSigned` recognizes a token of this service even after
 * the token's row was deleted.
 */
export const signToken = (digest: Digest, purpose: string, body: string): string =>
  body + sealOf(digest, purpose, body);

/** Returns true if `signToken` created the token for this purpose. Needs no database query. */
export const isSigned = (digest: Digest, purpose: string, token: string): boolean =>
  isSame(token.slice(-SEAL_LENGTH), sealOf(digest, purpose, token.slice(0, -SEAL_LENGTH)));

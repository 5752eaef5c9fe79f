import type { Digest } from '../vault/pepper.js';

/**
 * HMACs of the secrets of an MCP client's sign-in. The database stores only these digests. Each kind of secret has its
 * own label, so that one kind cannot replace another.
 */
export const codeDigest = (digest: Digest, code: string): string => digest('agent code', code);
export const ticketDigest = (digest: Digest, ticket: string): string =>
  digest('agent sign-in ticket', ticket);
export const returnDigest = (digest: Digest, token: string): string => digest('agent sign-in return', token);
export const browserDigest = (digest: Digest, browser: string): string =>
  digest('agent sign-in browser', browser);

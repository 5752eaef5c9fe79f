import { ServiceError } from './errors.js';
import type { TokenLimits } from './token-limits.js';

/** What a token may still do. */
export interface NarrowerLimits extends TokenLimits {
  /** Seconds. Default: as long as the token itself. */
  expiresIn?: number;
}

const TOKEN = /^(svc_nt_.+)\.([\w-]{43})$/;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

/**
 * Makes a token that may do what this one may, and within these limits; nothing is asked of the service, and nobody can undo it.
 * Throws `invalid_request` for what is no token of `accountToken` or `agentToken`.
 */
export async function narrowToken(token: string, limits: NarrowerLimits): Promise<string> {
  const [, head, seal] = TOKEN.exec(token) ?? [];
  if (!head || !seal)
    throw new ServiceError({
      code: 'invalid_request',
      message: 'Only a token of accountToken() or agentToken() can be narrowed',
    });
  const { expiresIn, ...link } = limits;
  const expiresAt = expiresIn === undefined ? undefined : Math.floor(Date.now() / 1000) + expiresIn;
  const encoder = new TextEncoder();
  const text = toBase64Url(encoder.encode(JSON.stringify({ ...link, expiresAt })));
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', fromBase64Url(seal), ALGORITHM, false, ['sign']);
  const next = await subtle.sign('HMAC', key, encoder.encode(text));
  return `${head}.${text}.${toBase64Url(new Uint8Array(next))}`;
}

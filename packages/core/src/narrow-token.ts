import { assert } from './errors.js';
import { refuseUnknownNames } from './refuse-unknown-names.js';
import type { TokenLimits } from './token-limits.js';

/** Limits of a narrowed token: a token with fewer rights than the token that it is made from. */
export interface NarrowerLimits<Name extends string = string> extends TokenLimits<Name> {
  /** Lifetime of the narrowed token in seconds. Default: the expiry of the given token. */
  expiresIn?: number;
}

const LIMITS: readonly (keyof NarrowerLimits)[] = [
  'identifier',
  'account',
  'connections',
  'accounts',
  'tools',
  'arguments',
  'proxy',
  'readOnly',
  'maxCalls',
  'audience',
  'approve',
  'expiresIn',
];
const TOKEN = /^(svc_nt_.+)\.([\w-]{43})$/;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Creates a token with the rights of the given token within narrower limits. Sends no request. The new token's limits
 * cannot be removed later. Throws `invalid_request` for a limit that does not exist, and unless the given token comes
 * from `accountToken` or `agentToken`.
 */
export async function narrowToken<Name extends string>(
  token: string,
  limits: NarrowerLimits<Name>,
): Promise<string> {
  const [, head, signature] = TOKEN.exec(token) ?? [];
  assert(
    head && signature,
    'invalid_request',
    'Limits cannot be added to this token. Use a token from accountToken() or agentToken().',
  );
  refuseUnknownNames('narrowToken()', limits, LIMITS);
  const { expiresIn, ...link } = limits;
  const expiresAt = expiresIn === undefined ? undefined : Math.floor(Date.now() / 1000) + expiresIn;
  const encoder = new TextEncoder();
  const text = toBase64Url(encoder.encode(JSON.stringify({ ...link, expiresAt })));
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', fromBase64Url(signature), ALGORITHM, false, ['sign']);
  const next = await subtle.sign('HMAC', key, encoder.encode(text));
  return `${head}.${text}.${toBase64Url(new Uint8Array(next))}`;
}

function toBase64Url(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return btoa(characters.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string) {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

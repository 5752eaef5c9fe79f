import { parseObject } from '../text/json-object.js';

const ERRORS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/** Field of a normalized response that holds the claims of the ID token. */
export const CLAIMS = 'id_token_claims';

// A hundred years in seconds. A longer lifetime is invalid, because its end may exceed the range of dates.
const LONGEST_LIFE_S = 3_155_760_000;

function isLifetime(value: unknown): boolean {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST_LIFE_S;
}

/** True for an OAuth error without a token. Some servers send such errors with a success status. */
export function isErrorResponse(text: string): boolean {
  const response = parseObject(text);
  return typeof response?.['error'] === 'string' && response['access_token'] === undefined;
}

/**
 * Normalizes deviations from RFC 6749: `null` means absent, an error may be in `code`, and an invalid lifetime is dropped.
 * The claims replace the ID token, which came straight from the token endpoint over TLS.
 */
export function normalizeTokenResponse(text: string): string {
  const response = parseObject(text);
  if (response === undefined) return text;
  const {
    id_token: idToken,
    [CLAIMS]: _,
    ...rest
  } = Object.fromEntries(Object.entries(response).filter(([, value]) => value !== null));
  if (!isLifetime(rest['expires_in'])) delete rest['expires_in'];
  if (typeof rest['scope'] !== 'string') delete rest['scope'];
  const { code } = rest;
  const isErrorInCode = typeof rest['error'] !== 'string' && typeof code === 'string' && ERRORS.has(code);
  return JSON.stringify({
    ...rest,
    ...(isErrorInCode && { error: code }),
    ...(typeof idToken === 'string' && { [CLAIMS]: claimsOf(idToken) }),
  });
}

function claimsOf(idToken: string): unknown {
  const [, payload = ''] = idToken.split('.');
  return parseObject(Buffer.from(payload, 'base64url').toString()) ?? null;
}

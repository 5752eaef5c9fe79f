import { isBlank } from '../text/is-blank.js';
import { isObject, type JsonObject, parseObject } from '../text/json-object.js';
import { type ForeignCodes, readDescription, translateTokenError } from './foreign-codes.js';
import { OAuthError } from './oauth-error.js';

const ERRORS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/** Field of a normalized token response with the decoded claims of the ID token. */
export const CLAIMS = 'id_token_claims';

// Maximum token lifetime in seconds: 100 years. A longer lifetime is ignored, because its expiry may exceed the range
// of dates.
const MAX_LIFE_SECONDS = 3_155_760_000;
const DECIMAL = /^\s*\d+(?:\.\d+)?(?:e\d+)?\s*$/i;

export interface NormalizeOptions {
  readonly status: number;
  readonly isRefresh: boolean;
  /** Nonstandard error codes that the connector declares. */
  readonly errorCodes: ForeignCodes | undefined;
}

/** Token response normalized to the format of RFC 6749. */
export interface NormalizedResponse {
  readonly status: number;
  readonly text: string;
}

function isLifetime(value: unknown): boolean {
  const seconds = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= MAX_LIFE_SECONDS;
}

const stringsIn = (...values: readonly unknown[]): string[] =>
  values.filter((value) => typeof value === 'string');

/** Returns the first item of the list `errors`, with which some servers report a failure. It may be a plain code. */
function firstOf(errors: unknown): JsonObject {
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return isObject(first) ? first : { code: first };
}

/** Returns a standard error code in lower case, because some servers write it in capitals, and others unchanged. */
const standard = (code: string): string => (ERRORS.has(code.toLowerCase()) ? code.toLowerCase() : code);

/**
 * Reads the error code of a token response. Servers put the code into `error`, into an object there, or into another
 * field or list. Ambiguous fields, such as `code`, count only if they contain a known error code.
 */
function errorIn(response: JsonObject, { isRefresh, errorCodes }: NormalizeOptions): string | undefined {
  const { error, code, error_code: snake, errorCode: camel, status: state } = response;
  const first = firstOf(response['errors']);
  const nested = isObject(error) ? error : {};
  const { error_description: text, message, reason } = response;
  const [description = ''] = stringsIn(text, message, reason, nested['message'], first['message']);
  const translate = (given: string) =>
    translateTokenError({ error: standard(given), description }, { isRefresh, own: errorCodes });
  if (typeof error === 'string') return translate(error);
  const inLists = [nested['code'], nested['type'], first['errorType']];
  const explicit = stringsIn(...inLists, snake, camel).map(translate);
  const doubtful = stringsIn(code, state, first['code'], nested['status']).map(translate);
  const known = [...explicit, ...doubtful].find((each) => ERRORS.has(each));
  return known ?? explicit[0] ?? (isRefresh ? readDescription(description) : undefined);
}

function checkTokenType(response: JsonObject): void {
  const type = String(response['token_type'] ?? 'bearer').trim();
  if (type.toLowerCase() === 'bearer') return;
  const name = /^[\w.:/-]{1,64}$/.test(type) ? `"${type}"` : '(unreadable)';
  throw new OAuthError(
    'unusable',
    `The authorization server issued a token of the type ${name}, but the service supports only bearer tokens. Ask the operator of the authorization server for bearer tokens.`,
  );
}

// Characters outside visible ASCII cannot be sent in the Authorization header (RFC 6750, section 2.1).
function checkAccessToken({ access_token: token }: JsonObject): void {
  if (typeof token !== 'string' || /^[\x21-\x7e]+$/.test(token)) return;
  throw new OAuthError(
    'unusable',
    'The authorization server issued an access token with characters that are not allowed in a header. Report this to the operator of the authorization server.',
  );
}

/**
 * Normalizes deviations from RFC 6749. `null` and blank strings mean absent. A lifetime, scope or refresh token of
 * another type is dropped, and a token without a type is a bearer token. An error gets a standard code and an error
 * status. The decoded claims replace the ID token, which came directly from the token endpoint over TLS. Throws
 * OAuthError for an access token that no header can carry.
 */
export function normalizeTokenResponse(text: string, options: NormalizeOptions): NormalizedResponse {
  const { status } = options;
  const response = parseObject(text);
  // Some servers respond to a revocation with 204, but the library accepts only 200.
  if (response === undefined) return { status: status === 204 ? 200 : status, text };
  const {
    id_token: idToken,
    [CLAIMS]: _,
    ...rest
  } = Object.fromEntries(Object.entries(response).filter(([, value]) => !isBlank(value)));
  if (!isLifetime(rest['expires_in'])) delete rest['expires_in'];
  for (const name of ['scope', 'refresh_token']) if (typeof rest[name] !== 'string') delete rest[name];
  if (rest['access_token'] === undefined) {
    const error = errorIn(rest, options);
    return error === undefined
      ? { status, text: JSON.stringify(rest) }
      : { status: Math.max(status, 400), text: JSON.stringify({ ...rest, error }) };
  }
  checkTokenType(rest);
  checkAccessToken(rest);
  const claims = typeof idToken === 'string' && { [CLAIMS]: claimsOf(idToken) };
  return { status, text: JSON.stringify({ ...rest, token_type: 'bearer', ...claims }) };
}

function claimsOf(idToken: string): unknown {
  const [, payload = ''] = idToken.split('.');
  return parseObject(Buffer.from(payload, 'base64url').toString()) ?? null;
}

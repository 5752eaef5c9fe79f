import { isObject, type JsonObject, parseObject } from '../text/json-object.js';
import { type ForeignCodes, translateTokenError } from './foreign-codes.js';
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
const LONGEST_LIFE_S = 3_155_760_000;

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
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST_LIFE_S;
}

const stringsIn = (...values: readonly unknown[]): string[] =>
  values.filter((value) => typeof value === 'string');

/** Returns the first item of the list `errors`, with which some servers report a failure. */
function firstOf(errors: unknown): JsonObject {
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return isObject(first) ? first : {};
}

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
    translateTokenError({ error: given, description }, { isRefresh, own: errorCodes });
  if (typeof error === 'string') return translate(error);
  const inLists = [nested['code'], nested['type'], first['errorType']];
  const explicit = stringsIn(...inLists, snake, camel).map(translate);
  const known = [...explicit, ...stringsIn(code, state, first['code']).map(translate)].find((each) =>
    ERRORS.has(each),
  );
  return known ?? explicit[0];
}

function checkTokenType(response: JsonObject): void {
  const { token_type: type } = response;
  if (typeof type !== 'string' || type.toLowerCase() === 'bearer') return;
  const name = /^[\w.:/-]{1,64}$/.test(type) ? `"${type}"` : 'an unreadable name';
  throw new OAuthError(
    'unusable',
    `The authorization server issued a token of the type ${name}, but the service supports only bearer tokens. Ask its operator for bearer tokens.`,
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
 * Normalizes deviations from RFC 6749. `null` and empty strings mean absent, an invalid lifetime is dropped, and a
 * token without a type is a bearer token. An error gets a standard code and an error status. The decoded claims replace
 * the ID token, which came directly from the token endpoint over TLS. Throws OAuthError for an access token that no
 * header can carry.
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
  } = Object.fromEntries(Object.entries(response).filter(([, value]) => value !== null && value !== ''));
  if (!isLifetime(rest['expires_in'])) delete rest['expires_in'];
  if (typeof rest['scope'] !== 'string') delete rest['scope'];
  if (rest['access_token'] === undefined) {
    const error = errorIn(rest, options);
    return error === undefined
      ? { status, text: JSON.stringify(rest) }
      : { status: Math.max(status, 400), text: JSON.stringify({ ...rest, error }) };
  }
  checkTokenType(rest);
  checkAccessToken(rest);
  const claims = typeof idToken === 'string' && { [CLAIMS]: claimsOf(idToken) };
  return { status, text: JSON.stringify({ token_type: 'bearer', ...rest, ...claims }) };
}

function claimsOf(idToken: string): unknown {
  const [, payload = ''] = idToken.split('.');
  return parseObject(Buffer.from(payload, 'base64url').toString()) ?? null;
}

type Answer = Readonly<Record<string, unknown>>;

const ERRORS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/** Field in which the claims of an ID token are handed on. */
export const CLAIMS = 'id_token_claims';

export const isObject = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// A hundred years, in seconds: what is longer is no life, and the moment of its end could be no date.
const LONGEST_LIFE = 3_155_760_000;

function isLifetime(value: unknown): boolean {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST_LIFE;
}

/** Whether the text is an error of OAuth and nothing that was asked for: some servers send that with a status of success. */
export function isErrorAnswer(text: string): boolean {
  const answer = parse(text);
  return isObject(answer) && typeof answer['error'] === 'string' && answer['access_token'] === undefined;
}

/**
 * Brings the habits of servers into the form of RFC 6749: `null` means absent, an error may stand in `code`, and a life that
 * is no number is none. The ID token gives way to its claims: it came straight from the token endpoint, over TLS.
 */
export function normalizeTokenAnswer(text: string): string {
  const answer: unknown = parse(text);
  if (!isObject(answer)) return text;
  const {
    id_token: idToken,
    [CLAIMS]: _,
    ...rest
  } = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
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
  return parse(Buffer.from(payload, 'base64url').toString()) ?? null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Answer = Readonly<Record<string, unknown>>;

const ERRORS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
]);

const isObject = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isLifetime(value: unknown): boolean {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;
}

/**
 * Brings the habits of servers into the form of RFC 6749: `null` means absent, an error may stand in `code`, and a life that
 * is no number is none. The ID token is left out: nothing is taken from it, so nothing may depend on it.
 */
export function normalizeTokenAnswer(text: string): string {
  const answer: unknown = parse(text);
  if (!isObject(answer)) return text;
  const { id_token: _, ...rest } = Object.fromEntries(
    Object.entries(answer).filter(([, value]) => value !== null),
  );
  if (!isLifetime(rest['expires_in'])) delete rest['expires_in'];
  if (typeof rest['scope'] !== 'string') delete rest['scope'];
  const { code } = rest;
  const isErrorInCode = typeof rest['error'] !== 'string' && typeof code === 'string' && ERRORS.has(code);
  return JSON.stringify(isErrorInCode ? { ...rest, error: code } : rest);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

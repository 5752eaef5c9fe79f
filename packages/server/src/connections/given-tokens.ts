import { ServiceError, wrongField } from '../errors.js';
import type { ConnectionRow } from '../storage/schema.js';
import { readMoment } from '../text/read-moment.js';
import type { AccountSecrets } from './account-secrets.js';
import { type Connectors, findConnector, keyField } from './connector.js';

/** OAuth tokens that an application already has and imports into an account. */
export interface ImportedTokens {
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** Time at which the access token expires, in ISO 8601. Default: unknown. */
  readonly expiresAt?: string;
  /**
   * OAuth scopes that the user granted. Default: the scopes of the token response if the tokens are refreshed,
   * otherwise none.
   */
  readonly scopes?: readonly string[];
}

/** Imported tokens after validation. At least one of the two tokens is present. */
export interface GivenTokens extends Pick<ImportedTokens, 'accessToken' | 'refreshToken' | 'scopes'> {
  /** Expiry of the access token in epoch milliseconds; `undefined` if unknown. */
  readonly expiresAt: number | undefined;
}

const TOKEN_FIELDS = ['accessToken', 'refreshToken', 'expiresAt', 'scopes'] as const;
const OTHER_SECRETS = ['apiKey', 'bearerToken', 'credentials'] as const;

const invalid = (message: string) => new ServiceError('invalid_request', message);

// The error message does not quote the value, because a client may have sent a token in this field by mistake.
function readExpiry(expiresAt: string): number {
  try {
    return readMoment(expiresAt);
  } catch {
    throw wrongField('expiresAt', '"expiresAt" is not a time. Send one such as 2026-11-20T09:00:00Z.');
  }
}

function checkCombination(
  connectors: Connectors,
  { connector }: Pick<ConnectionRow, 'connector'>,
  given: AccountSecrets & ImportedTokens,
): void {
  const { title, auth } = findConnector(connectors, connector);
  const field = keyField(auth.type);
  if (field !== undefined)
    throw invalid(`${title} does not use OAuth, so it has no tokens to import. Send ${field} instead.`);
  const other = OTHER_SECRETS.find((name) => given[name] !== undefined);
  if (other !== undefined)
    throw invalid(`Tokens cannot be combined with ${other}. Send the tokens without ${other}.`);
  if (given.verify === false)
    throw invalid('Imported tokens are always verified. Omit `verify`, or set it to true.');
  if (given.accessToken === undefined && given.refreshToken === undefined)
    throw invalid('There is no token to import. Send accessToken, refreshToken, or both.');
}

/**
 * Returns the OAuth tokens of a request, or `undefined` if the request has none. Throws invalid_request for tokens that
 * the connector does not use, and for tokens in combination with a key.
 */
export function readTokens(
  connectors: Connectors,
  connection: Pick<ConnectionRow, 'connector'>,
  given: AccountSecrets & ImportedTokens,
): GivenTokens | undefined {
  if (TOKEN_FIELDS.every((name) => given[name] === undefined)) return undefined;
  checkCombination(connectors, connection, given);
  const { accessToken, refreshToken, expiresAt, scopes } = given;
  return {
    ...(accessToken !== undefined && { accessToken }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(scopes !== undefined && { scopes }),
    expiresAt: expiresAt === undefined ? undefined : readExpiry(expiresAt),
  };
}

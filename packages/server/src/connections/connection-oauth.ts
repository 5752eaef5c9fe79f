import type { OAuth2Auth } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { AuthorizationServer, Client } from '../oauth/authorization-server.js';
import type { Tokens } from '../oauth/oauth.js';
import type { ConnectionRow } from '../storage/schema.js';
import { isPlainText } from '../text/plain-text.js';
import type { Place, Vault } from '../vault/vault.js';
import { type Connector, type Connectors, findConnector, oauthOf } from './connector.js';

export interface ConnectionOAuthParts {
  readonly connectors: Connectors;
  readonly vault: Vault;
  readonly describeDiscovered: DescribeDiscovered;
}

/** A connection as the protocol needs it. */
export interface ConnectionOAuth {
  readonly server: AuthorizationServer;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** What tokens are bound to where the server was discovered: they are worth nothing at another issuer, and never sent there. */
  readonly issuer: string | null;
  /** The user's id in a token answer, where the connector says what has it. */
  readonly subjectIn: (tokens: Pick<Tokens, 'answer' | 'claims'>) => string | null;
  /** With the secret decrypted. */
  readonly client: () => Promise<Client>;
  /**
   * Forgets a client that registered itself and is refused now, so that the next use registers again; gives the connection
   * with a mark, or `undefined` where there is nothing to forget or that was done already and did not help.
   */
  readonly forgetClient: () => Promise<ConnectionRow | undefined>;
  /** Forgets what was discovered, because it did not work; the next use asks again. */
  readonly forgetServer: () => void;
}

/** Describes a connection whose MCP server says itself how its users authorize. */
export type DescribeDiscovered = (
  connection: ConnectionRow,
  connector: Connector,
) => Promise<ConnectionOAuth>;

/** Throws connection_not_configured when the connection cannot be used, and unavailable when its server cannot be asked. */
export type DescribeOAuth = (connection: ConnectionRow) => Promise<ConnectionOAuth>;

/** The scopes of a column that holds a JSON array of them. */
export function readScopes(json: string): string[] {
  const scopes: unknown = JSON.parse(json);
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
}

export function scopesOf({ scopes }: ConnectionRow, auth: OAuth2Auth): string[] {
  if (scopes !== null) return readScopes(scopes);
  return auth.scopes.filter((scope) => scope.default).map((scope) => scope.name);
}

/** The connection's own endpoints before the connector's. */
export function serverOf(connection: ConnectionRow, auth: OAuth2Auth): AuthorizationServer {
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint } = connection;
  return {
    connector: connection.connector,
    authorizationEndpoint: authorizationEndpoint ?? auth.authorizationEndpoint,
    tokenEndpoint: tokenEndpoint ?? auth.tokenEndpoint,
    // Issuer and revocation belong to the connector's own endpoints: another server's tokens must not be sent there.
    issuer: authorizationEndpoint === null ? auth.issuer : undefined,
    revocationEndpoint: revocationEndpoint ?? (tokenEndpoint === null ? auth.revocationEndpoint : undefined),
    authorizationParameters: auth.authorizationParameters,
    tokenRequest: auth.tokenRequest,
  };
}

export const clientSecretPlace = ({
  applicationId,
  id,
}: Pick<ConnectionRow, 'applicationId' | 'id'>): Place => ({
  applicationId,
  table: 'connections',
  rowId: id,
  column: 'client_secret',
});

/** The client that the connection's application set, with its secret decrypted. */
export async function revealClient(vault: Vault, connection: ConnectionRow, id: string): Promise<Client> {
  const { clientSecret } = connection;
  if (clientSecret === null) return { id, secret: undefined };
  const secret = await vault.open(clientSecretPlace(connection), clientSecret);
  return { id, secret: secret.reveal() };
}

function requireClientId({ name, clientId }: ConnectionRow): string {
  if (clientId !== null) return clientId;
  throw new ServiceError(
    'connection_not_configured',
    `The connection "${name}" has no client id; set clientId and clientSecret by PATCH /v1/connections/${name}.`,
    { connectionName: name },
  );
}

// Twice what OpenID Connect allows, and what an index takes.
const LONGEST_SUBJECT = 512;

// The ID token came from the token endpoint itself, so TLS vouches for it; it must still be about this client.
function subjectIn(
  { subject, subjectClaim }: OAuth2Auth,
  clientId: string,
  { answer, claims }: Pick<Tokens, 'answer' | 'claims'>,
): string | null {
  const isForUs = [claims['aud']].flat().includes(clientId);
  const claim = subjectClaim !== undefined && isForUs ? claims[subjectClaim] : undefined;
  const value = subject === undefined ? claim : answer[subject];
  const isName = typeof value === 'string' && value !== '' && value.length <= LONGEST_SUBJECT;
  return isName && isPlainText(value) ? value : null;
}

function describeNamed(connection: ConnectionRow, auth: OAuth2Auth, vault: Vault): ConnectionOAuth {
  const clientId = requireClientId(connection);
  return {
    server: serverOf(connection, auth),
    clientId,
    scopes: scopesOf(connection, auth),
    issuer: null,
    subjectIn: (tokens) => subjectIn(auth, clientId, tokens),
    client: () => revealClient(vault, connection, clientId),
    forgetClient: async () => undefined,
    forgetServer: () => undefined,
  };
}

export const createDescribeOAuth =
  ({ connectors, vault, describeDiscovered }: ConnectionOAuthParts): DescribeOAuth =>
  async (connection) => {
    const connector = findConnector(connectors, connection.connector);
    if (connector.auth.type === 'mcp_oauth') return describeDiscovered(connection, connector);
    return describeNamed(connection, oauthOf(connector), vault);
  };

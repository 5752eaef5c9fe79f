import type { OAuth2Auth } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { AuthorizationServer, Client } from '../oauth/authorization-server.js';
import type { TokenResponse } from '../oauth/oauth.js';
import type { ConnectionRow } from '../storage/schema.js';
import { readConnectedAs } from '../text/connected-as.js';
import { isPlainText } from '../text/plain-text.js';
import type { SecretLocation, Vault } from '../vault/vault.js';
import { type Connector, type Connectors, findConnector, oauthOf } from './connector.js';

/** OAuth client and authorization server of a connection. */
export interface ConnectionOAuth {
  readonly server: AuthorizationServer;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /**
   * Issuer of the account's tokens, if the authorization server was discovered. Tokens are never sent to another
   * issuer. `null` for servers from the catalogue.
   */
  readonly issuer: string | null;
  /**
   * True if discovery used a less preferred metadata document, because the preferred one was unavailable. The preferred
   * document may name another authorization server.
   */
  readonly isFallback: boolean;
  /** Returns the user's upstream id from a token response; `null` if the connector defines no field for it. */
  readonly subjectIn: (response: Pick<TokenResponse, 'otherFields' | 'claims'>) => string | null;
  /** Returns the user's name, workspace and picture from a token response, as JSON for the account's row. */
  readonly connectedAsIn: (response: Pick<TokenResponse, 'otherFields' | 'claims'>) => string | null;
  /** Returns the OAuth client with its decrypted secret. */
  readonly client: () => Promise<Client>;
  /**
   * Deletes a dynamically registered OAuth client that the server refused, so that the next use registers a new one.
   * Resolves to the changed connection. Resolves to `undefined` if the client was not registered dynamically, or if a
   * refused client was already replaced once.
   */
  readonly forgetClient: () => Promise<ConnectionRow | undefined>;
  /**
   * Removes the discovered metadata of the authorization server from the cache, so that the next use discovers it
   * again.
   */
  readonly forgetServer: () => void;
}

/** Function that returns the OAuth settings of a connection whose MCP server names its authorization server. */
export type DescribeDiscovered = (
  connection: ConnectionRow,
  connector: Connector,
) => Promise<ConnectionOAuth>;

/** Parses a database column that contains a JSON array of OAuth scopes. */
export function readScopes(json: string): string[] {
  const scopes: unknown = JSON.parse(json);
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
}

export function scopesOf({ scopes }: Pick<ConnectionRow, 'scopes'>, auth: OAuth2Auth): string[] {
  if (scopes !== null) return readScopes(scopes);
  return auth.scopes.filter((scope) => scope.default).map((scope) => scope.name);
}

/** Returns the authorization server of a connection. The connection's own endpoints override those of the connector. */
export function serverOf(connection: ConnectionRow, auth: OAuth2Auth): AuthorizationServer {
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint } = connection;
  return {
    connector: connection.connector,
    authorizationEndpoint: authorizationEndpoint ?? auth.authorizationEndpoint,
    tokenEndpoint: tokenEndpoint ?? auth.tokenEndpoint,
    // The connector's issuer and revocation endpoint are not used if the connection has its own endpoints. They belong
    // to another server, which must not get this connection's tokens.
    issuer: authorizationEndpoint === null ? auth.issuer : undefined,
    revocationEndpoint: revocationEndpoint ?? (tokenEndpoint === null ? auth.revocationEndpoint : undefined),
    authorizationParameters: auth.authorizationParameters,
    tokenRequest: auth.tokenRequest,
    errorCodes: auth.errorCodes,
    administratorConsent: auth.administratorConsent,
  };
}

export const clientSecretLocation = ({
  applicationId,
  id,
}: Pick<ConnectionRow, 'applicationId' | 'id'>): SecretLocation => ({
  applicationId,
  table: 'connections',
  rowId: id,
  column: 'client_secret',
});

/** Returns the application's own OAuth client with its decrypted secret. */
export async function revealClient(vault: Vault, connection: ConnectionRow, id: string): Promise<Client> {
  const { clientSecret } = connection;
  if (clientSecret === null) return { id, secret: undefined };
  const secret = await vault.open(clientSecretLocation(connection), clientSecret);
  return { id, secret: secret.reveal() };
}

function requireClientId({ name, clientId }: ConnectionRow): string {
  if (clientId !== null) return clientId;
  throw new ServiceError(
    'connection_not_configured',
    `The connection "${name}" has no client id. Set clientId and clientSecret with PATCH /v1/connections/${name}.`,
    { connectionName: name },
  );
}

// Maximum characters of a user's upstream id. OpenID Connect allows 255. The limit keeps the id short enough for a
// database index.
const MAX_SUBJECT_CHARACTERS = 512;

type TokenDocuments = Pick<TokenResponse, 'otherFields' | 'claims'>;

// Returns the ID token's claims if its audience is this client. The signature is not checked, because the token came
// from the token endpoint over TLS.
const claimsFor = (clientId: string, { claims }: TokenDocuments): TokenDocuments['claims'] =>
  [claims['aud']].flat().includes(clientId) ? claims : {};

function subjectIn(
  { subject, subjectClaim }: OAuth2Auth,
  clientId: string,
  { otherFields, claims }: TokenDocuments,
): string | null {
  const claim =
    subjectClaim === undefined ? undefined : claimsFor(clientId, { otherFields, claims })[subjectClaim];
  const value = subject === undefined ? claim : otherFields[subject];
  const isName = typeof value === 'string' && value !== '' && value.length <= MAX_SUBJECT_CHARACTERS;
  return isName && isPlainText(value) ? value : null;
}

function connectedAsIn({ identity }: Connector, clientId: string, documents: TokenDocuments): string | null {
  if (identity?.from === 'id_token') return readConnectedAs(identity, claimsFor(clientId, documents));
  return identity?.from === 'token_response' ? readConnectedAs(identity, documents.otherFields) : null;
}

function describeConfigured(connection: ConnectionRow, connector: Connector, vault: Vault): ConnectionOAuth {
  const auth = oauthOf(connector);
  const clientId = requireClientId(connection);
  return {
    server: serverOf(connection, auth),
    clientId,
    scopes: scopesOf(connection, auth),
    issuer: null,
    isFallback: false,
    subjectIn: (response) => subjectIn(auth, clientId, response),
    connectedAsIn: (response) => connectedAsIn(connector, clientId, response),
    client: () => revealClient(vault, connection, clientId),
    forgetClient: async () => undefined,
    forgetServer: () => undefined,
  };
}

export interface DescribeOAuthParts {
  readonly connectors: Connectors;
  readonly vault: Vault;
  readonly describeDiscovered: DescribeDiscovered;
}

export function createDescribeOAuth({ connectors, vault, describeDiscovered }: DescribeOAuthParts) {
  /**
   * Returns the OAuth settings of a connection. Throws connection_not_configured for unusable settings, and unavailable
   * if the authorization server does not respond.
   */
  async function describeOAuth(connection: ConnectionRow): Promise<ConnectionOAuth> {
    const connector = findConnector(connectors, connection.connector);
    if (connector.auth.type === 'mcp_oauth') return describeDiscovered(connection, connector);
    return describeConfigured(connection, connector, vault);
  }
  return describeOAuth;
}

export type DescribeOAuth = ReturnType<typeof createDescribeOAuth>;

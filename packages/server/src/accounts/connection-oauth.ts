import type { OAuth2Auth } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { AuthorizationServer, Client } from '../oauth/authorization-server.js';
import type { ConnectionRow } from '../storage/schema.js';
import { type Connectors, findConnector, oauthOf } from './connector.js';
import type { Place, Vault } from './vault.js';

export interface ConnectionOAuthParts {
  readonly connectors: Connectors;
  readonly vault: Vault;
}

/** A connection as the protocol needs it. */
export interface ConnectionOAuth {
  readonly server: AuthorizationServer;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The user's id in a token answer, where the connector says which field has it. */
  readonly subjectIn: (answer: Readonly<Record<string, unknown>>) => string | null;
  /** With the secret decrypted. */
  readonly client: () => Promise<Client>;
}

/** Throws connection_not_configured when the connection has no client id. */
export type DescribeOAuth = (connection: ConnectionRow) => ConnectionOAuth;

export const clientSecretPlace = ({
  applicationId,
  id,
}: Pick<ConnectionRow, 'applicationId' | 'id'>): Place => ({
  applicationId,
  table: 'connections',
  rowId: id,
  column: 'client_secret',
});

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
    authorizationEndpoint: authorizationEndpoint ?? auth.authorizationEndpoint,
    tokenEndpoint: tokenEndpoint ?? auth.tokenEndpoint,
    // Issuer and revocation belong to the connector's own endpoints: another server's tokens must not be sent there.
    issuer: authorizationEndpoint === null ? auth.issuer : undefined,
    revocationEndpoint: revocationEndpoint ?? (tokenEndpoint === null ? auth.revocationEndpoint : undefined),
    authorizationParameters: auth.authorizationParameters,
    tokenRequest: auth.tokenRequest,
  };
}

function requireClientId({ name, clientId }: ConnectionRow): string {
  if (clientId !== null) return clientId;
  throw new ServiceError(
    'connection_not_configured',
    `The connection "${name}" has no client id; set clientId and clientSecret by PATCH /v1/connections/${name}.`,
    { connectionName: name },
  );
}

export const createDescribeOAuth =
  ({ connectors, vault }: ConnectionOAuthParts): DescribeOAuth =>
  (connection) => {
    const auth = oauthOf(findConnector(connectors, connection.connector));
    const clientId = requireClientId(connection);
    const { clientSecret } = connection;
    return {
      server: serverOf(connection, auth),
      clientId,
      scopes: scopesOf(connection, auth),
      subjectIn: (answer) => {
        const subject = auth.subject === undefined ? undefined : answer[auth.subject];
        return typeof subject === 'string' && subject !== '' ? subject : null;
      },
      client: async () => {
        if (clientSecret === null) return { id: clientId, secret: undefined };
        const secret = await vault.open(clientSecretPlace(connection), clientSecret);
        return { id: clientId, secret: secret.reveal() };
      },
    };
  };

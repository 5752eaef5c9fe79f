import type { ConnectionRow } from '../storage/schema.js';
import { scopesOf, serverOf } from './connection-oauth.js';
import type { AuthType, Connector } from './connector.js';

/** A connection as its application sees it: what is in force, be it its own or the connector's. */
export interface Connection {
  readonly id: string;
  readonly connectionName: string;
  readonly connector: string;
  readonly authType: AuthType;
  /** To be registered with the upstream; `null` where no user authorizes. */
  readonly redirectUri: string | null;
  readonly clientId: string | null;
  readonly hasClientSecret: boolean;
  readonly scopes: readonly string[];
  readonly baseUrl: string;
  readonly authorizationEndpoint: string | null;
  readonly tokenEndpoint: string | null;
  readonly revocationEndpoint: string | null;
  /** `invalid_client` when the upstream refuses the client id and secret. */
  readonly statusReason?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Exactly what the upstream must have registered: built from configuration, never from a request. */
export const redirectUriOf = (environmentUrl: string, connectionId: string): string =>
  `${environmentUrl}/sso/v1/oauth/${connectionId}/callback`;

function authorizationOf(row: ConnectionRow, { auth }: Connector, environmentUrl: string) {
  if (auth.type !== 'oauth2') {
    return {
      redirectUri: null,
      scopes: [],
      authorizationEndpoint: null,
      tokenEndpoint: null,
      revocationEndpoint: null,
    };
  }
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint = null } = serverOf(row, auth);
  return {
    redirectUri: redirectUriOf(environmentUrl, row.id),
    scopes: scopesOf(row, auth),
    authorizationEndpoint,
    tokenEndpoint,
    revocationEndpoint,
  };
}

export function toConnection(row: ConnectionRow, connector: Connector, environmentUrl: string): Connection {
  return {
    id: row.id,
    connectionName: row.name,
    connector: row.connector,
    authType: connector.auth.type,
    clientId: row.clientId,
    hasClientSecret: row.clientSecret !== null,
    baseUrl: row.baseUrl ?? connector.baseUrl,
    ...authorizationOf(row, connector, environmentUrl),
    ...(row.statusReason !== null && { statusReason: row.statusReason }),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

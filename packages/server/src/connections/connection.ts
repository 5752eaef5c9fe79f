import type { ConnectionStatusReason } from '../names/status-reasons.js';
import type { ConnectionRow } from '../storage/schema.js';
import { isoTime } from '../text/iso-time.js';
import { type ApprovalPolicy, readPolicy } from './approval-policy.js';
import { baseUrlOf, hostsOf } from './connection-addresses.js';
import { readScopes, scopesOf, serverOf } from './connection-oauth.js';
import { type AuthType, type Connector, keyField } from './connector.js';

/** Connection as the API returns it. Each setting is the connection's own value or the connector's default. */
export interface Connection {
  readonly id: string;
  readonly connectionName: string;
  readonly connector: string;
  /** Kind of authentication; `null` if the catalogue no longer has the connector. */
  readonly authType: AuthType | null;
  /** OAuth redirect URI that must be registered with the upstream. `null` for connectors that use keys. */
  readonly redirectUri: string | null;
  readonly clientId: string | null;
  readonly hasClientSecret: boolean;
  readonly scopes: readonly string[];
  /** Base URL of the upstream; `null` if the catalogue no longer has the connector or the region. */
  readonly baseUrl: string | null;
  readonly region: string | null;
  /** Map from the names of the connector's secondary hosts to their base URLs. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly authorizationEndpoint: string | null;
  readonly tokenEndpoint: string | null;
  readonly revocationEndpoint: string | null;
  readonly allowUnannouncedPkce: boolean;
  /** Policy that says which tool calls need a person's approval. */
  readonly approve: ApprovalPolicy;
  /**
   * Problem of the connection. `invalid_client`: the upstream refuses the client id and secret. `connector_not_found`:
   * the catalogue no longer has the connector.
   */
  readonly statusReason?: ConnectionStatusReason;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * Returns the OAuth redirect URI that must be registered with the upstream. It depends only on configuration, because
 * request headers can be forged.
 */
export const redirectUriOf = (environmentUrl: string, connectionId: string): string =>
  `${environmentUrl}/sso/v1/oauth/${connectionId}/callback`;

const NO_AUTHORIZATION = {
  redirectUri: null,
  scopes: [],
  authorizationEndpoint: null,
  tokenEndpoint: null,
  revocationEndpoint: null,
};

function authorizationOf(row: ConnectionRow, { auth }: Connector, environmentUrl: string) {
  if (keyField(auth.type) !== undefined) return NO_AUTHORIZATION;
  const redirectUri = redirectUriOf(environmentUrl, row.id);
  // An MCP server names its authorization server and scopes at the time of a user's consent, so the connection has none
  // yet.
  if (auth.type !== 'oauth2')
    return { ...NO_AUTHORIZATION, redirectUri, scopes: readScopes(row.scopes ?? '[]') };
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint = null } = serverOf(row, auth);
  return {
    redirectUri,
    scopes: scopesOf(row, auth),
    authorizationEndpoint,
    tokenEndpoint,
    revocationEndpoint,
  };
}

/** Returns the properties of a connection that depend on its connector. */
function connectorPartOf(row: ConnectionRow, connector: Connector, environmentUrl: string) {
  return {
    authType: connector.auth.type,
    baseUrl: baseUrlOf(row, connector) ?? null,
    hosts: hostsOf(row, connector),
    ...authorizationOf(row, connector, environmentUrl),
    ...(row.statusReason !== null && { statusReason: row.statusReason }),
  };
}

/**
 * Returns the properties of a connection whose connector is no longer in the catalogue. It can still be read and
 * deleted.
 */
const orphanPartOf = ({ baseUrl }: ConnectionRow) => ({
  authType: null,
  baseUrl,
  hosts: {},
  ...NO_AUTHORIZATION,
  statusReason: 'connector_not_found' as const,
});

export function toConnection(
  row: ConnectionRow,
  connector: Connector | undefined,
  environmentUrl: string,
): Connection {
  return {
    id: row.id,
    connectionName: row.name,
    connector: row.connector,
    clientId: row.clientId,
    hasClientSecret: row.clientSecret !== null,
    region: row.region,
    allowUnannouncedPkce: row.allowUnannouncedPkce === 1,
    approve: readPolicy(row.approve),
    ...(connector === undefined ? orphanPartOf(row) : connectorPartOf(row, connector, environmentUrl)),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

import type { ConnectionStatusReason } from '../names/status-reasons.js';
import type { ConnectionRow } from '../storage/schema.js';
import { isoTime } from '../text/iso-time.js';
import { type ApprovalPolicy, readPolicy } from './approval-policy.js';
import { baseUrlOf, hostsOf } from './connection-addresses.js';
import { readScopes, scopesOf, serverOf } from './connection-oauth.js';
import { type AuthType, type Connector, keyField } from './connector.js';

/** A connection as its application sees it: effective settings, its own or the connector's. */
export interface Connection {
  readonly id: string;
  readonly connectionName: string;
  readonly connector: string;
  /** `null` if the connector has left the catalogue. */
  readonly authType: AuthType | null;
  /** URI to register with the upstream; `null` for connectors with keys. */
  readonly redirectUri: string | null;
  readonly clientId: string | null;
  readonly hasClientSecret: boolean;
  readonly scopes: readonly string[];
  /** `null` if the connector or the region has left the catalogue. */
  readonly baseUrl: string | null;
  readonly region: string | null;
  /** Base URLs of the connector's secondary hosts by name. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly authorizationEndpoint: string | null;
  readonly tokenEndpoint: string | null;
  readonly revocationEndpoint: string | null;
  readonly allowUnannouncedPkce: boolean;
  /** Decides which calls need a person's approval. */
  readonly approve: ApprovalPolicy;
  /** `invalid_client`: the upstream refuses the client id and secret. `connector_not_found`: there is no connector. */
  readonly statusReason?: ConnectionStatusReason;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The exact URI to register with the upstream. Built from configuration, never from a request. */
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
  // The server names endpoints and scopes when a user authorizes.
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

/** Fields that depend on the connector. */
function connectorPartOf(row: ConnectionRow, connector: Connector, environmentUrl: string) {
  return {
    authType: connector.auth.type,
    baseUrl: baseUrlOf(row, connector) ?? null,
    hosts: hostsOf(row, connector),
    ...authorizationOf(row, connector, environmentUrl),
    ...(row.statusReason !== null && { statusReason: row.statusReason }),
  };
}

/** Fields of a connection whose connector has left the catalogue. It can be read and deleted. */
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

import type { ConnectionStatusReason } from '../names/status-reasons.js';
import { etagOf } from '../records/etag.js';
import type { ConnectionRow } from '../storage/schema.js';
import { isoTime } from '../text/iso-time.js';
import { parseObject } from '../text/json-object.js';
import { type ApprovalPolicy, readPolicy } from './approval-policy.js';
import { baseUrlOf, hostsOf } from './connection-addresses.js';
import { readScopes, scopesOf, serverOf } from './connection-oauth.js';
import { type AuthType, type Connector, keyField } from './connector.js';

/** Result of testing a connection at its upstream. */
export interface ConnectionTest {
  readonly at: string;
  readonly isWorking: boolean;
  /** Names of the steps of the test that failed. */
  readonly failedSteps: readonly string[];
  /** Error message of the first step that failed. Absent if the test passed. */
  readonly message?: string;
}

/** Connection as the API returns it. Each setting is the connection's own value or the connector's default. */
export interface Connection {
  readonly id: string;
  readonly connectionName: string;
  readonly connector: string;
  /** Kind of authentication; `null` if the catalogue no longer has the connector. */
  readonly authType: AuthType | null;
  /** OAuth redirect URI that must be registered with the upstream. `null` for connectors that use keys. */
  readonly redirectUri: string | null;
  /** URL of this service to which the upstream sends webhooks. `null` for a connector without webhooks. */
  readonly webhookUrl: string | null;
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
  /** True if executions keep the error code and the message of the upstream, without secrets and user data. */
  readonly storeUpstreamErrors: boolean;
  /**
   * Problem of the connection. `invalid_client`: the upstream refuses the client id and secret. `connector_not_found`:
   * the catalogue no longer has the connector.
   */
  readonly statusReason?: ConnectionStatusReason;
  /** Last test of the connection. Absent if it was not tested since its settings were changed. */
  readonly lastTest?: ConnectionTest;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** ETag of the connection's settings. */
  readonly etag: string;
}

/**
 * Returns the OAuth redirect URI that must be registered with the upstream. It depends only on configuration, because
 * request headers can be forged.
 */
export const redirectUriOf = (environmentUrl: string, connectionId: string): string =>
  `${environmentUrl}/sso/v1/oauth/${connectionId}/callback`;

/** Path prefix of the URLs to which upstreams send webhooks. */
export const HOOKS_PATH = '/hooks/';

/**
 * Returns the URL of this service to which the connection's upstream sends webhooks. A webhook subscription appends its
 * secret key.
 */
export const webhookUrlOf = (environmentUrl: string, connectionId: string): string =>
  environmentUrl + HOOKS_PATH + connectionId;

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
  // An MCP server names its authorization server and scopes only when a user starts to consent, so the connection has
  // none yet.
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

/** Returns the properties of a connection that its connector's definition determines. */
function connectorPartOf(row: ConnectionRow, connector: Connector, environmentUrl: string) {
  return {
    authType: connector.auth.type,
    baseUrl: baseUrlOf(row, connector) ?? null,
    hosts: hostsOf(row, connector),
    webhookUrl: connector.webhooks ? webhookUrlOf(environmentUrl, row.id) : null,
    ...authorizationOf(row, connector, environmentUrl),
    ...(row.statusReason !== null && { statusReason: row.statusReason }),
  };
}

/**
 * Returns the properties of `connectorPartOf` for a connection whose connector is no longer in the catalogue. The
 * connection can still be read and deleted.
 */
const orphanPartOf = ({ baseUrl }: ConnectionRow) => ({
  authType: null,
  baseUrl,
  hosts: {},
  webhookUrl: null,
  ...NO_AUTHORIZATION,
  statusReason: 'connector_not_found' as const,
});

/** Returns the columns that store the result of testing a connection. `failed`: the steps that failed. */
export const toTestColumns = (
  testedAt: number,
  failed: readonly { readonly name: string; readonly message: string }[],
): Pick<ConnectionRow, 'testedAt' | 'testFailure'> => ({
  testedAt,
  testFailure:
    failed[0] === undefined
      ? null
      : JSON.stringify({ steps: failed.map(({ name }) => name), message: failed[0].message }),
});

function lastTestOf({ testedAt, testFailure }: ConnectionRow): ConnectionTest | undefined {
  if (testedAt === null) return undefined;
  const at = isoTime(testedAt);
  if (testFailure === null) return { at, isWorking: true, failedSteps: [] };
  const { steps, message } = parseObject(testFailure) ?? {};
  return {
    at,
    isWorking: false,
    failedSteps: Array.isArray(steps) ? steps.map(String) : [],
    message: String(message),
  };
}

// `updatedAt` identifies a version of the settings: each change of the settings increases it, and nothing else does.
export const etagOfConnection = ({ id, updatedAt }: ConnectionRow): string => etagOf(id, updatedAt);

export function toConnection(
  row: ConnectionRow,
  connector: Connector | undefined,
  environmentUrl: string,
): Connection {
  const lastTest = lastTestOf(row);
  return {
    id: row.id,
    connectionName: row.name,
    connector: row.connector,
    clientId: row.clientId,
    hasClientSecret: row.clientSecret !== null,
    region: row.region,
    allowUnannouncedPkce: row.allowUnannouncedPkce === 1,
    approve: readPolicy(row.approve),
    storeUpstreamErrors: row.storeUpstreamErrors === 1,
    ...(connector === undefined ? orphanPartOf(row) : connectorPartOf(row, connector, environmentUrl)),
    ...(lastTest && { lastTest }),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    etag: etagOfConnection(row),
  };
}

import { ServiceError } from '../errors.js';
import type { IsAllowedOrigin } from '../names/allowed-origins.js';
import { secret } from '../secret.js';
import type { ConnectionChange } from '../storage/connection-tables.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Vault } from '../vault/vault.js';
import { type ApprovalPolicy, checkPolicy, type KnownTools, writePolicy } from './approval-policy.js';
import { type AddressSettings, toAddressColumns } from './connection-addresses.js';
import { clientSecretLocation } from './connection-oauth.js';
import type { AuthType, Connector } from './connector.js';
import { checkEndpoint } from './endpoint-url.js';
import { checkScopeNames } from './listed-scopes.js';

/** Settings of a connection. Absent settings stay unchanged, or use the connector's default in a new connection. */
export interface ConnectionSettings extends AddressSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** OAuth scopes to request. `null` restores the connector's default. */
  readonly scopes?: readonly string[] | null;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly revocationEndpoint?: string;
  /** True to use an authorization server whose metadata does not list PKCE support. */
  readonly allowUnannouncedPkce?: boolean;
  /** Approval policy. It replaces the whole stored policy. */
  readonly approve?: ApprovalPolicy;
  /** False to keep the errors of the upstream out of executions. */
  readonly storeUpstreamErrors?: boolean;
}

export interface ConnectionSettingsParts {
  readonly vault: Vault;
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly tools: KnownTools;
}

const ENDPOINTS = ['authorizationEndpoint', 'tokenEndpoint', 'revocationEndpoint'] as const;
const FOR_OAUTH = ['clientId', 'clientSecret', ...ENDPOINTS, 'scopes'] as const;
const FOR_DISCOVERY = ['allowUnannouncedPkce'] as const;
const UNUSED: Readonly<Record<AuthType, readonly (keyof ConnectionSettings)[]>> = {
  oauth2: FOR_DISCOVERY,
  mcp_oauth: ENDPOINTS,
  api_key: [...FOR_OAUTH, ...FOR_DISCOVERY],
  bearer_token: [...FOR_OAUTH, ...FOR_DISCOVERY],
};

function checkSettings(settings: ConnectionSettings, { title, auth }: Connector): void {
  const unused = UNUSED[auth.type].find((field) => settings[field] !== undefined);
  if (unused === undefined) return;
  const reason = {
    oauth2: 'has its authorization server in the catalogue',
    mcp_oauth: 'publishes its own authorization server',
    api_key: 'does not use OAuth',
    bearer_token: 'does not use OAuth',
  }[auth.type];
  throw new ServiceError(
    'invalid_request',
    `${title} ${reason}, so its connections do not accept ${unused}. Omit this field.`,
  );
}

// True if a change sets a new OAuth client completely: a client id with its secret, or a client id while no secret is
// stored. Such a client may belong to any authorization server, so the stored issuer of the client is deleted.
const isClientOfAnyServer = (own: ConnectionRow, { clientId, clientSecret }: ConnectionSettings): boolean =>
  clientId !== undefined && (clientSecret !== undefined || own.clientSecret === null);

export function createToConnectionColumns({ vault, isAllowedOrigin, tools }: ConnectionSettingsParts) {
  /**
   * Returns the database columns for the given settings. Throws invalid_request for settings that the connector does
   * not use.
   */
  async function toConnectionColumns(
    own: ConnectionRow,
    settings: ConnectionSettings,
    connector: Connector,
  ): Promise<ConnectionChange> {
    checkSettings(settings, connector);
    const isListed = (origin: string) => isAllowedOrigin(connector.id, origin);
    const { approve, allowUnannouncedPkce, clientId, clientSecret, scopes, storeUpstreamErrors } = settings;
    if (scopes) checkScopeNames(scopes, connector);
    if (approve !== undefined) checkPolicy(approve, connector.id, tools);
    const endpoints = ENDPOINTS.flatMap((field) => {
      const value = settings[field];
      return value === undefined ? [] : [[field, checkEndpoint(field, value, isListed)]];
    });
    return {
      ...(clientId !== undefined && { clientId }),
      ...(isClientOfAnyServer(own, settings) && { clientIssuer: null }),
      ...(scopes !== undefined && { scopes: scopes && JSON.stringify(scopes) }),
      ...toAddressColumns(settings, connector, { own, isListed }),
      ...Object.fromEntries(endpoints),
      ...(allowUnannouncedPkce !== undefined && { allowUnannouncedPkce: Number(allowUnannouncedPkce) }),
      ...(approve !== undefined && { approve: writePolicy(approve) }),
      ...(storeUpstreamErrors !== undefined && { storeUpstreamErrors: Number(storeUpstreamErrors) }),
      ...(clientSecret !== undefined && {
        clientSecret: await vault.seal(clientSecretLocation(own), secret(clientSecret)),
      }),
    };
  }
  return toConnectionColumns;
}

export type ToConnectionColumns = ReturnType<typeof createToConnectionColumns>;

import { ServiceError } from '../errors.js';
import type { IsAllowedOrigin } from '../names/allowed-origins.js';
import { secret } from '../secret.js';
import type { ConnectionChange } from '../storage/connection-tables.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Vault } from '../vault/vault.js';
import { type AddressSettings, toAddressColumns } from './addresses.js';
import { type ApprovalPolicy, checkPolicy, type KnownTools, writePolicy } from './approval-policy.js';
import { clientSecretPlace } from './connection-client.js';
import type { AuthType, Connector } from './connector.js';
import { checkEndpoint } from './endpoint.js';

/** Settings of a connection. Absent: unchanged, or the connector's own in a new one. */
export interface ConnectionSettings extends AddressSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly revocationEndpoint?: string;
  /** Takes the place of the one before. */
  readonly approve?: ApprovalPolicy;
}

export interface ConnectionSettingsParts {
  readonly vault: Vault;
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly tools: KnownTools;
}

/** The columns that settings change. Throws invalid_request for what the connector does not take. */
export type ToConnectionColumns = (
  own: ConnectionRow,
  settings: ConnectionSettings,
  connector: Connector,
) => Promise<ConnectionChange>;

const ENDPOINTS = ['authorizationEndpoint', 'tokenEndpoint', 'revocationEndpoint'] as const;
const FOR_OAUTH = ['clientId', 'clientSecret', ...ENDPOINTS, 'scopes'] as const;
const USELESS: Readonly<Record<AuthType, readonly (typeof FOR_OAUTH)[number][]>> = {
  oauth2: [],
  mcp_oauth: ENDPOINTS,
  api_key: FOR_OAUTH,
  bearer_token: FOR_OAUTH,
};

function checkSettings(settings: ConnectionSettings, { title, auth }: Connector): void {
  const useless = USELESS[auth.type].find((field) => settings[field] !== undefined);
  if (useless === undefined) return;
  const reason =
    auth.type === 'mcp_oauth' ? 'says itself how its users authorize' : 'is not authorized by OAuth';
  throw new ServiceError(
    'invalid_request',
    `${title} ${reason}, so its connections take no ${useless}; leave it out.`,
  );
}

// A client that is set again may be one of another authorization server, but a secret that stays belongs where it was given.
const isClientOfAnyServer = (own: ConnectionRow, { clientId, clientSecret }: ConnectionSettings): boolean =>
  clientId !== undefined && (clientSecret !== undefined || own.clientSecret === null);

export const createToConnectionColumns =
  ({ vault, isAllowedOrigin, tools }: ConnectionSettingsParts): ToConnectionColumns =>
  async (own, settings, connector) => {
    checkSettings(settings, connector);
    const isListed = (origin: string) => isAllowedOrigin(connector.id, origin);
    const { approve, clientId, clientSecret, scopes } = settings;
    if (approve !== undefined) checkPolicy(approve, connector.id, tools);
    const endpoints = ENDPOINTS.flatMap((field) => {
      const value = settings[field];
      return value === undefined ? [] : [[field, checkEndpoint(field, value, isListed)]];
    });
    return {
      ...(clientId !== undefined && { clientId }),
      ...(isClientOfAnyServer(own, settings) && { clientIssuer: null }),
      ...(scopes !== undefined && { scopes: JSON.stringify(scopes) }),
      ...toAddressColumns(settings, connector, { own, isListed }),
      ...Object.fromEntries(endpoints),
      ...(approve !== undefined && { approve: writePolicy(approve) }),
      ...(clientSecret !== undefined && {
        clientSecret: await vault.seal(clientSecretPlace(own), secret(clientSecret)),
      }),
    };
  };

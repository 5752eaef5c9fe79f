import type { IsAllowedOrigin } from '../allowed-origins.js';
import { ServiceError } from '../errors.js';
import type { ConnectionChange } from '../storage/connections-table.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { type AddressSettings, toAddressColumns } from './addresses.js';
import type { Commit } from './commit.js';
import { type Connection, toConnection } from './connection.js';
import { clientSecretPlace } from './connection-client.js';
import { type AuthType, type Connector, type Connectors, findConnector } from './connector.js';
import { checkEndpoint } from './endpoint.js';
import { findConnection } from './find-account.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage } from './page.js';
import { newId, type Random } from './random.js';
import type { RemoveAccount } from './remove-account.js';
import { secret } from './secret.js';
import type { Vault } from './vault.js';

export interface ConnectionsParts {
  readonly storage: Pick<Storage, 'connections' | 'accounts'>;
  readonly connectors: Connectors;
  readonly vault: Vault;
  readonly removeAccount: RemoveAccount;
  readonly commit: Commit;
  readonly cache: Pick<AccountCache, 'dropAll'>;
  /** What users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly now: () => number;
  readonly random: Random;
}

/** Settings of a connection. Absent: unchanged, or the connector's own in a new one. */
export interface ConnectionSettings extends AddressSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly revocationEndpoint?: string;
}

export interface NewConnection extends ConnectionSettings {
  readonly connectionName: string;
  readonly connector: string;
}

/** The connections of an application. Client secrets go in and never come out. */
export interface Connections {
  create(applicationId: string, settings: NewConnection): Promise<Connection>;
  list(applicationId: string, page: PageRequest): Promise<Page<Connection>>;
  get(applicationId: string, name: string): Promise<Connection>;
  update(applicationId: string, name: string, settings: ConnectionSettings): Promise<Connection>;
  /** Deletes its accounts too, each as if it were deleted alone. */
  delete(applicationId: string, name: string): Promise<void>;
}

const ENDPOINTS = ['authorizationEndpoint', 'tokenEndpoint', 'revocationEndpoint'] as const;
const FOR_OAUTH = ['clientId', 'clientSecret', ...ENDPOINTS, 'scopes'] as const;
const USELESS: Readonly<Record<AuthType, readonly (typeof FOR_OAUTH)[number][]>> = {
  oauth2: [],
  mcp_oauth: ENDPOINTS,
  api_key: FOR_OAUTH,
  bearer_token: FOR_OAUTH,
};
const REMOVED_AT_ONCE = 10;

const EMPTY = {
  clientId: null,
  clientSecret: null,
  clientIssuer: null,
  scopes: null,
  baseUrl: null,
  region: null,
  hosts: null,
  authorizationEndpoint: null,
  tokenEndpoint: null,
  revocationEndpoint: null,
  statusReason: null,
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

export function createConnections(parts: ConnectionsParts): Connections {
  const { storage, connectors, vault, removeAccount, commit, cache, environmentUrl, isAllowedOrigin } = parts;
  const { now, random } = parts;

  const show = (row: ConnectionRow) => toConnection(row, connectors.get(row.connector), environmentUrl);

  async function toColumns(
    own: Pick<ConnectionRow, 'applicationId' | 'id' | 'hosts'>,
    settings: ConnectionSettings,
    connector: Connector,
  ): Promise<ConnectionChange> {
    checkSettings(settings, connector);
    const isListed = (origin: string) => isAllowedOrigin(connector.id, origin);
    const { clientId, clientSecret, scopes } = settings;
    const endpoints = ENDPOINTS.flatMap((field) => {
      const value = settings[field];
      return value === undefined ? [] : [[field, checkEndpoint(field, value, isListed)]];
    });
    return {
      // A client that is set again may be one of another authorization server.
      ...(clientId !== undefined && { clientId, clientIssuer: null }),
      ...(scopes !== undefined && { scopes: JSON.stringify(scopes) }),
      ...toAddressColumns(settings, connector, { own, isListed }),
      ...Object.fromEntries(endpoints),
      ...(clientSecret !== undefined && {
        clientSecret: await vault.seal(clientSecretPlace(own), secret(clientSecret)),
      }),
    };
  }

  async function removeAccounts({ applicationId, id }: ConnectionRow): Promise<void> {
    for (;;) {
      const accounts = await storage.accounts.list(applicationId, id, { after: '', limit: REMOVED_AT_ONCE });
      if (accounts.length === 0) return;
      await Promise.all(accounts.map(removeAccount));
    }
  }

  return {
    async create(applicationId, { connectionName, connector, ...settings }) {
      const found = findConnector(connectors, connector);
      const key = { applicationId, id: newId('conn', random) };
      const named = { ...key, name: connectionName, connector, createdAt: now(), updatedAt: now() };
      const empty: ConnectionRow = { ...EMPTY, ...named };
      const row = { ...empty, ...(await toColumns(empty, settings, found)) };
      const created = await commit(async (tables, tell) => {
        const inserted = await tables.connections.insert(row);
        if (inserted) tell({ action: 'connection.created', applicationId, object: row.id });
        return inserted;
      });
      if (created) return show(row);
      throw new ServiceError(
        'conflict',
        `There is a connection "${connectionName}" already; PATCH it, or choose another name.`,
      );
    },

    async list(applicationId, page) {
      const [after = ''] = readPageToken(page, 1) ?? [];
      const rows = await storage.connections.list(applicationId, after, pageSizeOf(page) + 1);
      return toPage(rows, page, { keys: ({ name }) => [name], item: show });
    },

    get: async (applicationId, name) => show(await findConnection(storage, applicationId, name)),

    async update(applicationId, name, settings) {
      const row = await findConnection(storage, applicationId, name);
      const columns = await toColumns(row, settings, findConnector(connectors, row.connector));
      const change = { ...columns, statusReason: null, updatedAt: now() };
      const changed = await commit(async (tables, tell) => {
        const reason = Object.keys(columns).join();
        tell({ action: 'connection.changed', applicationId, object: row.id, reason });
        return tables.connections.update(applicationId, row.id, change);
      });
      cache.dropAll();
      return show(changed ?? (await findConnection(storage, applicationId, name)));
    },

    async delete(applicationId, name) {
      const connection = await findConnection(storage, applicationId, name);
      await removeAccounts(connection);
      await commit(async (tables, tell) => {
        tell({ action: 'connection.deleted', applicationId, object: connection.id });
        await tables.connections.delete(applicationId, connection.id);
      });
      cache.dropAll();
    },
  };
}

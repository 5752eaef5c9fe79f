import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage } from '../page.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { AccountStatus, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { type Connection, toConnection } from './connection.js';
import type { ConnectionNames } from './connection-names.js';
import {
  type ConnectionSettings,
  type ConnectionSettingsParts,
  createToConnectionColumns,
} from './connection-settings.js';
import { type Connectors, findConnector } from './connector.js';
import { accountsStay, movesAccounts } from './destinations.js';
import { findConnection } from './find-account.js';
import type { RemoveAccount } from './remove-account.js';
import { createRemoveAccounts } from './remove-accounts.js';

export interface ConnectionsParts extends ConnectionSettingsParts {
  readonly storage: Pick<Storage, 'connections' | 'accounts'>;
  readonly connectors: Connectors;
  readonly removeAccount: RemoveAccount;
  readonly commit: Commit;
  readonly cache: Pick<AccountCache, 'dropAll'>;
  readonly connectionNames: Pick<ConnectionNames, 'drop'>;
  /** What users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

export interface NewConnection extends ConnectionSettings {
  readonly connectionName: string;
  readonly connector: string;
}

/** How many accounts of each status it has, of which so many are counted at most. */
export interface ConnectionSummary {
  readonly accounts: Readonly<Record<AccountStatus, number>>;
  /** Whether there are more of any of them. */
  readonly more: boolean;
}

/** The same with its name. */
export interface NamedSummary extends ConnectionSummary {
  readonly connectionName: string;
}

/** The connections of an application. Client secrets go in and never come out. */
export interface Connections {
  create(applicationId: string, settings: NewConnection): Promise<Connection>;
  list(applicationId: string, page: PageRequest): Promise<Page<Connection>>;
  get(applicationId: string, name: string): Promise<Connection>;
  /** What is lost with it. */
  summary(applicationId: string, name: string): Promise<ConnectionSummary>;
  summaries(applicationId: string, page: PageRequest): Promise<Page<NamedSummary>>;
  /** Throws conflict for a change that would lead stored secrets to other addresses than those they were given for. */
  update(applicationId: string, name: string, settings: ConnectionSettings): Promise<Connection>;
  /** Deletes its accounts too, each as if it were deleted alone. */
  delete(applicationId: string, name: string): Promise<void>;
}

const MOST_COUNTED = 10_000;

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
  approve: null,
  statusReason: null,
};

const changedMeanwhile = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'conflict',
    `"${name}" was changed at the same time; look at it and send your change again.`,
  );

export function createConnections(parts: ConnectionsParts): Connections {
  const { storage, connectors, commit, cache, connectionNames, environmentUrl, now, random } = parts;
  const toColumns = createToConnectionColumns(parts);
  const removeAccounts = createRemoveAccounts(parts);

  const show = (row: ConnectionRow) => toConnection(row, connectors.get(row.connector), environmentUrl);

  async function rowsOf(applicationId: string, page: PageRequest): Promise<ConnectionRow[]> {
    const [after = ''] = readPageToken(page, 1) ?? [];
    return storage.connections.list(applicationId, after, pageSizeOf(page) + 1);
  }

  async function summarize(connection: ConnectionRow): Promise<ConnectionSummary> {
    const counts = await storage.accounts.countByStatus(connection, MOST_COUNTED + 1);
    const counted = (status: AccountStatus) => Math.min(counts[status], MOST_COUNTED);
    return {
      accounts: {
        unauthorized: counted('unauthorized'),
        pending_verification: counted('pending_verification'),
        authorized: counted('authorized'),
        reauthorization_required: counted('reauthorization_required'),
      },
      more: Object.values(counts).some((count) => count > MOST_COUNTED),
    };
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
        if (inserted) {
          tell({ action: 'connection.created', applicationId, object: row.id, reason: row.name });
        }
        return inserted;
      });
      connectionNames.drop(applicationId);
      if (created) return show(row);
      throw new ServiceError(
        'conflict',
        `There is a connection "${connectionName}" already; PATCH it, or choose another name.`,
      );
    },

    list: async (applicationId, page) =>
      toPage(await rowsOf(applicationId, page), page, { keys: ({ name }) => [name], item: show }),

    get: async (applicationId, name) => show(await findConnection(storage, applicationId, name)),

    summary: async (applicationId, name) => summarize(await findConnection(storage, applicationId, name)),

    async summaries(applicationId, page) {
      const rows = await rowsOf(applicationId, page);
      const { items, ...next } = toPage(rows, page, { keys: ({ name }) => [name], item: (row) => row });
      const summarized = items.map(async (row) => ({ connectionName: row.name, ...(await summarize(row)) }));
      return { ...next, items: await Promise.all(summarized) };
    },

    async update(applicationId, name, settings) {
      const row = await findConnection(storage, applicationId, name);
      const connector = findConnector(connectors, row.connector);
      const columns = await toColumns(row, settings, connector);
      const isMove = movesAccounts(row, columns, connector);
      const changed = await commit(async (tables, tell) => {
        const change = { ...columns, statusReason: null, updatedAt: Math.max(now(), row.updatedAt + 1) };
        const next = await tables.connections.change(row, change);
        if (!next) throw changedMeanwhile(row);
        if (isMove && (await tables.accounts.hasAny(row))) throw accountsStay(row);
        tell({
          action: 'connection.changed',
          applicationId,
          object: row.id,
          reason: Object.keys(columns).join(),
        });
        return next;
      });
      cache.dropAll();
      return show(changed);
    },

    async delete(applicationId, name) {
      const connection = await findConnection(storage, applicationId, name);
      await removeAccounts(connection);
      await commit(async (tables, tell) => {
        tell({ action: 'connection.deleted', applicationId, object: connection.id, reason: name });
        await tables.connections.delete(applicationId, connection.id);
      });
      cache.dropAll();
      connectionNames.drop(applicationId);
    },
  };
}

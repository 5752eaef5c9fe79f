import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage } from '../page.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { AccountStatus, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { type Connection, toConnection } from './connection.js';
import type { ConnectionNames } from './connection-names.js';
import type { ConnectionSettings, ToConnectionColumns } from './connection-settings.js';
import { type Connectors, findConnector } from './connector.js';
import { accountsStay, movesAccounts } from './destinations.js';
import { findConnection } from './find-account.js';
import type { RemoveAccount } from './remove-account.js';
import { outcomeOf, type Revoked } from './revoke.js';

export interface ConnectionsParts {
  readonly storage: Pick<Storage, 'connections' | 'accounts'>;
  readonly connectors: Connectors;
  readonly toConnectionColumns: ToConnectionColumns;
  readonly removeAccount: RemoveAccount;
  readonly commit: Commit;
  readonly cache: Pick<AccountCache, 'dropAll'>;
  readonly connectionNames: Pick<ConnectionNames, 'drop'>;
  /** URL of this service for browsers, without a slash at the end. */
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

export interface NewConnection extends ConnectionSettings {
  readonly connectionName: string;
  readonly connector: string;
}

/** Number of accounts by status, each counted up to a limit. */
export interface ConnectionSummary {
  readonly accounts: Readonly<Record<AccountStatus, number>>;
  /** True if a status has more accounts than the limit. */
  readonly more: boolean;
}

export interface NamedSummary extends ConnectionSummary {
  readonly connectionName: string;
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
  allowUnannouncedPkce: 0,
  statusReason: null,
};

// Accounts that a removal locks at once on PostgreSQL. With more, other calls would time out after 30 s.
const REMOVED_AT_ONCE = 8;
// An endpoint that is down costs 30 s for each account, while a caller waits for all of them.
const OUTAGE_PATIENCE_MS = 60_000;

const changedMeanwhile = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError('conflict', `"${name}" was changed at the same time. Read it and send your change again.`);

/** The connections of an application. Client secrets can be set and never read. */
export function createConnections(parts: ConnectionsParts) {
  const { storage, connectors, toConnectionColumns, removeAccount, commit, cache } = parts;
  const { connectionNames, environmentUrl, now, random } = parts;

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

  /** Deletes all accounts of a connection. Stops asking the upstream after a minute in which it answered nothing. */
  async function removeAccounts({ applicationId, id }: ConnectionRow): Promise<void> {
    const elapsed = createMonotonicClock(now);
    let awaySince: number | undefined;
    const noteOutcomes = (outcomes: readonly Revoked[], since: number): void => {
      const isAny = (wanted: string) => outcomes.some((revoked) => outcomeOf(revoked) === wanted);
      if (isAny('revoked')) awaySince = undefined;
      else if (isAny('failed')) awaySince ??= since;
    };
    for (;;) {
      const rows = await storage.accounts.list(applicationId, { connectionId: id, limit: REMOVED_AT_ONCE });
      if (rows.length === 0) return;
      const began = elapsed();
      const isAway = awaySince !== undefined && began - awaySince >= OUTAGE_PATIENCE_MS;
      noteOutcomes(await Promise.all(rows.map((row) => removeAccount(row, { isAway }))), began);
    }
  }

  async function create(
    applicationId: string,
    { connectionName, connector, ...settings }: NewConnection,
  ): Promise<Connection> {
    const found = findConnector(connectors, connector);
    const key = { applicationId, id: newId('conn', random) };
    const named = { ...key, name: connectionName, connector, createdAt: now(), updatedAt: now() };
    const empty: ConnectionRow = { ...EMPTY, ...named };
    const row = { ...empty, ...(await toConnectionColumns(empty, settings, found)) };
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
      `The connection "${connectionName}" already exists; PATCH it, or choose another name.`,
    );
  }

  async function list(applicationId: string, page: PageRequest): Promise<Page<Connection>> {
    return toPage(await rowsOf(applicationId, page), page, { keys: ({ name }) => [name], item: show });
  }

  async function get(applicationId: string, name: string): Promise<Connection> {
    return show(await findConnection(storage, applicationId, name));
  }

  /** Counts the accounts that would be deleted with the connection. */
  async function summary(applicationId: string, name: string): Promise<ConnectionSummary> {
    return summarize(await findConnection(storage, applicationId, name));
  }

  async function summaries(applicationId: string, page: PageRequest): Promise<Page<NamedSummary>> {
    const rows = await rowsOf(applicationId, page);
    const { items, ...next } = toPage(rows, page, { keys: ({ name }) => [name], item: (row) => row });
    const summarized = items.map(async (row) => ({ connectionName: row.name, ...(await summarize(row)) }));
    return { ...next, items: await Promise.all(summarized) };
  }

  /** Throws conflict for a change that would send stored secrets to addresses for which they were not given. */
  async function update(
    applicationId: string,
    name: string,
    settings: ConnectionSettings,
  ): Promise<Connection> {
    const row = await findConnection(storage, applicationId, name);
    const connector = findConnector(connectors, row.connector);
    const columns = await toConnectionColumns(row, settings, connector);
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
  }

  /** Deletes its accounts too, and revokes their access upstream if possible. */
  async function remove(applicationId: string, name: string): Promise<void> {
    const connection = await findConnection(storage, applicationId, name);
    await removeAccounts(connection);
    await commit(async (tables, tell) => {
      tell({ action: 'connection.deleted', applicationId, object: connection.id, reason: name });
      await tables.connections.delete(applicationId, connection.id);
    });
    cache.dropAll();
    connectionNames.drop(applicationId);
  }

  return { create, list, get, summary, summaries, update, delete: remove };
}

export type Connections = ReturnType<typeof createConnections>;

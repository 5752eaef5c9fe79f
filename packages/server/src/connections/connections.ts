import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, type RowCount, readPageToken, toPage } from '../page.js';
import { checkIfMatch, editConflict } from '../records/check-if-match.js';
import type { Commit } from '../records/commit.js';
import type { AccountStatus, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { newId, type Random } from '../text/random.js';
import type { AccountCache } from './account-cache.js';
import { type Connection, etagOfConnection, toConnection } from './connection.js';
import type { ConnectionNames } from './connection-names.js';
import type { ConnectionSettings, ToConnectionColumns } from './connection-settings.js';
import { type Connectors, findConnector } from './connector.js';
import { accountsStay, movesAccounts } from './destinations.js';
import { findConnection } from './find-account.js';
import type { RemoveAccount } from './remove-account.js';
import { outcomeOf, type Revoked } from './revoke.js';

export interface ConnectionsParts {
  readonly storage: Pick<Storage, 'accountCounts' | 'accounts' | 'auditEvents' | 'connections'>;
  readonly connectors: Connectors;
  readonly toConnectionColumns: ToConnectionColumns;
  readonly removeAccount: RemoveAccount;
  readonly commit: Commit;
  readonly cache: Pick<AccountCache, 'dropAll'>;
  readonly connectionNames: Pick<ConnectionNames, 'drop'>;
  /** URL at which browsers reach this service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

export interface NewConnection extends ConnectionSettings {
  readonly connectionName: string;
  readonly connector: string;
}

/**
 * Number of the connection's accounts for each status. Each number stops at `MAX_COUNTED`, because counting more takes
 * too long.
 */
export interface ConnectionSummary {
  readonly accounts: Readonly<Record<AccountStatus, number>>;
  /** Number of authorized accounts whose key or token neither a test nor a call has confirmed. */
  readonly notTested: number;
  /** True if the number of accounts with some status is higher than `MAX_COUNTED`. */
  readonly more: boolean;
}

export interface SummaryItem extends ConnectionSummary {
  readonly connectionName: string;
}

const MAX_COUNTED = 10_000;

const NOT_TESTED = { testedAt: null, testFailure: null };

/** True if changing this column makes the result of an earlier connection test meaningless. */
const affectsTest = (column: string): boolean =>
  !['approve', 'scopes', 'storeUpstreamErrors'].includes(column);

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
  storeUpstreamErrors: 1,
  statusReason: null,
  ...NOT_TESTED,
};

// Number of accounts that are deleted at the same time. Each holds a PostgreSQL lock, and with more of them other calls
// could time out after 30 s.
const REMOVED_AT_ONCE = 8;
// Milliseconds of consecutive failures after which deleting a connection's accounts no longer calls the upstream to
// revoke tokens. Each failing call takes up to 30 s while the caller waits.
const OUTAGE_PATIENCE_MS = 60_000;

const changedMeanwhile = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'conflict',
    `Another request changed the connection "${name}" at the same time, so your change was not stored. Read the connection, then send your change again.`,
  );

const editOf = (row: ConnectionRow, ifMatch: string | undefined) => ({
  ifMatch,
  etag: etagOfConnection(row),
  applicationId: row.applicationId,
  object: row.id,
  action: 'connection.changed' as const,
  called: `The connection "${row.name}"`,
});

/** Creates the operations on an application's connections. Client secrets can be set but never read. */
export function createConnections(parts: ConnectionsParts) {
  const { storage, connectors, toConnectionColumns, removeAccount, commit, cache } = parts;
  const { connectionNames, environmentUrl, now, random } = parts;

  const show = (row: ConnectionRow) => toConnection(row, connectors.get(row.connector), environmentUrl);

  async function rowsOf(applicationId: string, page: PageRequest): Promise<ConnectionRow[]> {
    const [after = ''] = readPageToken(page, 1) ?? [];
    return storage.connections.list(applicationId, after, pageSizeOf(page) + 1);
  }

  async function summarize(connection: ConnectionRow): Promise<ConnectionSummary> {
    const counts = await storage.accountCounts.countByStatus(connection, MAX_COUNTED + 1);
    const { count: notTested } = await storage.accountCounts.countUntested(connection);
    const counted = (status: AccountStatus) => Math.min(counts[status], MAX_COUNTED);
    return {
      accounts: {
        unauthorized: counted('unauthorized'),
        pending_verification: counted('pending_verification'),
        authorized: counted('authorized'),
        reauthorization_required: counted('reauthorization_required'),
      },
      notTested,
      more: Object.values(counts).some((count) => count > MAX_COUNTED),
    };
  }

  /**
   * Deletes all accounts of a connection. Stops revoking tokens at the upstream after a minute of consecutive failures,
   * because the upstream seems to be down.
   */
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
    const definition = findConnector(connectors, connector);
    const key = { applicationId, id: newId('conn', random) };
    const columns = { ...key, name: connectionName, connector, createdAt: now(), updatedAt: now() };
    const empty: ConnectionRow = { ...EMPTY, ...columns };
    const row = { ...empty, ...(await toConnectionColumns(empty, settings, definition)) };
    const created = await commit(async (tables, audit) => {
      const inserted = await tables.connections.insert(row);
      if (inserted) {
        audit({ action: 'connection.created', applicationId, object: row.id, reason: row.name });
      }
      return inserted;
    });
    connectionNames.drop(applicationId);
    if (created) return show(row);
    throw new ServiceError(
      'conflict',
      `The connection "${connectionName}" already exists. Change it with PATCH, or choose another name.`,
    );
  }

  async function list(applicationId: string, page: PageRequest): Promise<Page<Connection>> {
    return toPage(await rowsOf(applicationId, page), page, { keys: ({ name }) => [name], item: show });
  }

  const count = (applicationId: string): Promise<RowCount> => storage.connections.countListed(applicationId);

  async function get(applicationId: string, name: string): Promise<Connection> {
    return show(await findConnection(storage, applicationId, name));
  }

  /** Counts the accounts of a connection by status, so that an operator sees what a deletion affects. */
  async function summary(applicationId: string, name: string): Promise<ConnectionSummary> {
    return summarize(await findConnection(storage, applicationId, name));
  }

  async function summaries(applicationId: string, page: PageRequest): Promise<Page<SummaryItem>> {
    const rows = await rowsOf(applicationId, page);
    const { items, ...next } = toPage(rows, page, { keys: ({ name }) => [name], item: (row) => row });
    const summarized = items.map(async (row) => ({ connectionName: row.name, ...(await summarize(row)) }));
    return { ...next, items: await Promise.all(summarized) };
  }

  /**
   * Changes the settings of a connection. Throws conflict if `ifMatch` is not its ETag. Also throws conflict if stored
   * secrets would then be sent to another server than before.
   */
  async function update(
    applicationId: string,
    name: string,
    settings: ConnectionSettings,
    ifMatch?: string,
  ): Promise<Connection> {
    const row = await findConnection(storage, applicationId, name);
    const edit = editOf(row, ifMatch);
    await checkIfMatch(storage, edit);
    const connector = findConnector(connectors, row.connector);
    const columns = await toConnectionColumns(row, settings, connector);
    const isMove = movesAccounts(row, columns, connector);
    const changed = await commit(async (tables, audit) => {
      const change = {
        ...columns,
        ...(Object.keys(columns).some(affectsTest) && NOT_TESTED),
        statusReason: null,
        updatedAt: Math.max(now(), row.updatedAt + 1),
      };
      const next = await tables.connections.change(row, change);
      if (!next) throw ifMatch === undefined ? changedMeanwhile(row) : await editConflict(tables, edit);
      if (isMove && (await tables.accounts.hasAny(row))) throw accountsStay(row);
      audit({
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

  /**
   * Deletes a connection. Returns false if it was changed, or has accounts, which a request may have created meanwhile.
   */
  function deleteEmpty(connection: ConnectionRow): Promise<boolean> {
    const { applicationId, id, name } = connection;
    return commit(async (tables, audit) => {
      // The lock waits for transactions that create an account, so that `hasAny` finds their accounts.
      if (!(await tables.connections.lock(connection)) || (await tables.accounts.hasAny(connection)))
        return false;
      await tables.connections.delete(applicationId, id);
      audit({ action: 'connection.deleted', applicationId, object: id, reason: name });
      return true;
    });
  }

  /** Deletes a connection with its accounts, and revokes their access at the upstream if possible. */
  async function remove(applicationId: string, name: string): Promise<void> {
    let connection: ConnectionRow | undefined = await findConnection(storage, applicationId, name);
    while (connection) {
      await removeAccounts(connection);
      if (await deleteEmpty(connection)) break;
      connection = await storage.connections.find(applicationId, connection.id);
    }
    cache.dropAll();
    connectionNames.drop(applicationId);
  }

  return { create, list, count, get, summary, summaries, update, delete: remove };
}

export type Connections = ReturnType<typeof createConnections>;

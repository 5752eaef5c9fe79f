import { ServiceError } from '../errors.js';
import type { AuditEvent, Commit } from '../records/commit.js';
import type { AccountChange, StoredAccount } from '../storage/accounts-table.js';
import type { AccountRow, ConnectionRow } from '../storage/schema.js';
import { newId, type Random } from '../text/random.js';
import { type AccountDetails, detailsIn, termsOf } from './account-details.js';

export interface InsertAccountParts {
  readonly commit: Commit;
  readonly now: () => number;
  readonly random: Random;
}

/** Connected account that is not stored yet. */
export interface NewAccount {
  readonly connection: ConnectionRow;
  readonly row: AccountRow;
}

/** Columns with the first tokens of a new account, and the audit events that are written in the same transaction. */
export interface FirstTokens {
  readonly columns: AccountChange;
  readonly events: readonly AuditEvent[];
}

type LabelledName = Pick<AccountRow, 'identifier' | 'account'>;

/** Maximum number of accounts of one user on one connection, with and without a label. */
const MAX_PER_USER = 20;

const tooManyAccounts = (identifier: string): ServiceError =>
  new ServiceError(
    'conflict',
    `The user "${identifier}" already has the maximum of ${MAX_PER_USER} accounts of this connection. Delete one of these accounts first.`,
  );

const changedMeanwhile = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'conflict',
    `Another request changed the connection "${name}" at the same time, so no account was created. Send the request again.`,
  );

/**
 * Returns a new account's row together with columns of its connection, in the form in which accounts are read from the
 * database.
 */
export const joinConnection = ({ row, connection }: NewAccount): StoredAccount => {
  const {
    name: connectionName,
    connector,
    baseUrl,
    region,
    hosts,
    approve,
    storeUpstreamErrors,
  } = connection;
  return { ...row, connectionName, connector, baseUrl, region, hosts, approve, storeUpstreamErrors };
};

/** Creates the insertion of connected accounts. */
export function createInsertAccount({ commit, now, random }: InsertAccountParts) {
  function prepare(
    connection: ConnectionRow,
    { identifier, account }: LabelledName,
    { metadata = {}, tags = [] }: Partial<AccountDetails>,
  ): NewAccount {
    const time = now();
    const row = {
      id: newId('acct', random),
      applicationId: connection.applicationId,
      connectionId: connection.id,
      identifier,
      account,
      status: 'unauthorized' as const,
      statusReason: null,
      scopes: '[]',
      wantedScopes: null,
      subject: null,
      issuer: null,
      connectedAs: null,
      accessToken: null,
      refreshToken: null,
      credentials: '{}',
      importedToken: null,
      issuedAt: null,
      expiresAt: null,
      version: 1,
      refreshStartedAt: null,
      refreshFailingSince: null,
      refreshFailedAt: null,
      refreshFailure: null,
      untestedSince: null,
      usedAt: null,
      metadata: JSON.stringify(metadata),
      tags: JSON.stringify(tags),
      createdAt: time,
      updatedAt: time,
    };
    return { connection, row };
  }

  /** Stores a new account. Resolves to `undefined` if the connection already has an account of this name. */
  async function insert(
    { connection, row: empty }: NewAccount,
    { columns, events }: Partial<FirstTokens> = {},
  ): Promise<StoredAccount | undefined> {
    const row = { ...empty, ...columns };
    const terms = termsOf({ ...detailsIn(row), account: row.account });
    const { applicationId, id } = row;
    const isStored = await commit(async (tables, audit) => {
      // The lock ensures that the connection's base URL does not change while an account is inserted. The account's
      // secrets could otherwise go to another server. Accounts with a label are inserted one at a time, so that their
      // number per user stays exact. A user has at most one account without a label.
      const hold = row.account === '' ? tables.connections.share : tables.connections.lock;
      if (!(await hold(connection))) throw changedMeanwhile(connection);
      if (!(await tables.accounts.insert(row))) return false;
      if (await tables.accounts.hasMoreOfUser(row, MAX_PER_USER)) throw tooManyAccounts(row.identifier);
      if (terms.length > 0) await tables.accountTerms.replace(row, terms);
      audit({ action: 'account.created', applicationId, object: id });
      for (const event of events ?? []) audit(event);
      return true;
    });
    return isStored ? joinConnection({ row, connection }) : undefined;
  }

  return { prepare, insert };
}

export type InsertAccount = ReturnType<typeof createInsertAccount>;

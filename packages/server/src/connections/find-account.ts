import { ServiceError } from '../errors.js';
import type { Account } from '../storage/accounts-table.js';
import type { ApplicationRow, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';

const connectionNotFound = (name: string) =>
  new ServiceError(
    'connection_not_found',
    `There is no connection "${name}". Create it with POST /v1/connections.`,
  );

export async function findApplication(
  { applications }: Pick<Storage, 'applications'>,
  id: string,
): Promise<ApplicationRow> {
  const application = await applications.find(id);
  if (application) return application;
  throw new ServiceError('not_found', 'The application was deleted. Ask an operator to create a new one.');
}

export async function findConnection(
  { connections }: Pick<Storage, 'connections'>,
  applicationId: string,
  name: string,
): Promise<ConnectionRow> {
  const connection = await connections.findByName(applicationId, name);
  if (connection) return connection;
  throw connectionNotFound(name);
}

export const accountNotFound = (id: string) =>
  new ServiceError(
    'account_not_found',
    `There is no connected account "${id}". GET /v1/accounts lists the accounts.`,
  );

export async function findAccount(
  { accounts }: Pick<Storage, 'accounts'>,
  applicationId: string,
  id: string,
): Promise<Account> {
  const account = await accounts.find(applicationId, id);
  if (account) return account;
  throw accountNotFound(id);
}

export async function findConnectionOf(
  { connections }: Pick<Storage, 'connections'>,
  { applicationId, connectionId, connectionName }: Account,
): Promise<ConnectionRow> {
  const connection = await connections.find(applicationId, connectionId);
  if (connection) return connection;
  throw connectionNotFound(connectionName);
}

export interface AccountName {
  readonly connectionName: string;
  readonly identifier: string;
}

/** Function that creates the error for an account that does not exist in an existing connection. */
export type ToMissing = (name: AccountName, connection: ConnectionRow) => ServiceError;

const toNotFound: ToMissing = ({ connectionName, identifier }) =>
  new ServiceError(
    'account_not_found',
    `"${connectionName}" has no account of "${identifier}". Create it with PUT /v1/connections/${connectionName}/accounts/${encodeURIComponent(identifier)}.`,
  );

/**
 * Finds an account by connection name and user identifier. Throws an error that names the missing connection or
 * account.
 */
export async function findAccountByName(
  storage: Pick<Storage, 'accounts' | 'connections'>,
  applicationId: string,
  name: AccountName,
  toMissing = toNotFound,
): Promise<Account> {
  const { connectionName, identifier } = name;
  const account = await storage.accounts.findByIdentifier(applicationId, connectionName, identifier);
  if (account) return account;
  throw toMissing(name, await findConnection(storage, applicationId, connectionName));
}

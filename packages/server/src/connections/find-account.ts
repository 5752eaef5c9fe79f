import { ServiceError } from '../errors.js';
import type { AccountName, StoredAccount } from '../storage/accounts-table.js';
import type { ApplicationRow, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { accountPath, userOf } from './account-name.js';

const connectionNotFound = (name: string) =>
  new ServiceError(
    'connection_not_found',
    `There is no connection "${name}". Check the name, or create the connection with POST /v1/connections.`,
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

/** Advice for a text that is no id of an account, such as the identifier of a user. */
const NOT_AN_ID =
  'Ids of accounts begin with "acct_". To name the account of a user, send connectionName and identifier instead of an id.';

export const accountNotFound = (id: string) =>
  new ServiceError(
    'account_not_found',
    `There is no connected account "${id}". ${id.startsWith('acct_') ? 'GET /v1/accounts lists the accounts.' : NOT_AN_ID}`,
  );

export async function findAccount(
  { accounts }: Pick<Storage, 'accounts'>,
  applicationId: string,
  id: string,
): Promise<StoredAccount> {
  const account = await accounts.find(applicationId, id);
  if (account) return account;
  throw accountNotFound(id);
}

export async function findConnectionOf(
  { connections }: Pick<Storage, 'connections'>,
  { applicationId, connectionId, connectionName }: StoredAccount,
): Promise<ConnectionRow> {
  const connection = await connections.find(applicationId, connectionId);
  if (connection) return connection;
  throw connectionNotFound(connectionName);
}

export type { AccountName };

/** Function that creates the error for a name that no account of an existing connection has. */
export type ToMissing = (name: AccountName, connection: ConnectionRow) => ServiceError;

const toNotFound: ToMissing = (name) =>
  new ServiceError(
    'account_not_found',
    `The connection "${name.connectionName}" has no account of the user ${userOf(name)}. Create the account with PUT ${accountPath(name)}.`,
  );

/**
 * Finds an account by connection name, user identifier and label. Throws an error that names the missing connection or
 * account.
 */
export async function findAccountByName(
  storage: Pick<Storage, 'accounts' | 'connections'>,
  applicationId: string,
  name: AccountName,
  toMissing = toNotFound,
): Promise<StoredAccount> {
  const account = await storage.accounts.findByName(applicationId, name);
  if (account) return account;
  throw toMissing(name, await findConnection(storage, applicationId, name.connectionName));
}

import type { Account } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';
import { accountNotAuthorized } from './account-not-authorized.js';
import { type Connectors, findConnector } from './connector.js';
import { findAccount, findAccountByName } from './find-account.js';

/** An account that may be used: everything that the way to the upstream needs, and no secret. */
export interface ResolvedAccount {
  readonly id: string;
  readonly applicationId: string;
  readonly identifier: string;
  readonly connectionId: string;
  readonly connectionName: string;
  /** Id of the connector in the catalogue. */
  readonly connector: string;
  /** The connection's own base URL, or the connector's. No slash at the end. */
  readonly baseUrl: string;
}

/** Finds accounts. Throws connection_not_found, account_not_found or account_not_authorized. */
export interface Resolve {
  byIdentifier(applicationId: string, connectionName: string, identifier: string): Promise<ResolvedAccount>;
  byId(applicationId: string, accountId: string): Promise<ResolvedAccount>;
}

export interface ResolveParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly connectors: Connectors;
}

export function createResolve({ storage, connectors }: ResolveParts): Resolve {
  const toResolved = (account: Account): ResolvedAccount => {
    const { auth, baseUrl } = findConnector(connectors, account.connector);
    if (account.status !== 'authorized') throw accountNotAuthorized(account, auth.type);
    const { id, applicationId, identifier, connectionId, connectionName, connector } = account;
    return {
      id,
      applicationId,
      identifier,
      connectionId,
      connectionName,
      connector,
      baseUrl: account.baseUrl ?? baseUrl,
    };
  };
  return {
    byIdentifier: async (applicationId, connectionName, identifier) =>
      toResolved(await findAccountByName(storage, applicationId, { connectionName, identifier })),
    byId: async (applicationId, accountId) =>
      toResolved(await findAccount(storage, applicationId, accountId)),
  };
}

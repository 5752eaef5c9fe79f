import { useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { call, type ResponseOf } from '../../api/call.ts';
import { type ListedConnection, listConnections } from '../../api/connections.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { type Loaded, useLoaded } from '../../parts/loaded.tsx';

const GET_ACCOUNT = 'GET /operator/v1/applications/{applicationId}/accounts/{id}';
const LIST_ACCOUNTS = 'GET /operator/v1/applications/{applicationId}/accounts';
const LIST_SUMMARIES = 'GET /operator/v1/applications/{applicationId}/connection-summaries';

export type Account = ResponseOf<typeof GET_ACCOUNT>;

interface Accounts {
  readonly connections: readonly ListedConnection[];
  readonly connectionName: string | undefined;
  /** True if the URL names the connection or an account of the connection. */
  readonly isInUrl: boolean;
  /** Connected accounts that match the search. The account from the URL comes first. */
  readonly accounts: readonly Account[];
  readonly hasMore: boolean;
}

export interface AccountChoiceState {
  readonly loaded: Loaded<Accounts>;
  readonly chosen: Account | undefined;
  /** True if the URL names an account that does not exist or has no access. */
  readonly isMissing: boolean;
  readonly identifier: string;
  readonly setIdentifier: (identifier: string) => void;
  readonly setConnection: (connectionName: string) => void;
  readonly choose: (account: Account) => void;
}

/** Maximum number of connected accounts in the list. */
const MAX_LISTED = 8;

type Selection = Readonly<
  Record<'applicationId' | 'connector' | 'connectionName' | 'identifier' | 'accountId', string>
>;

function ifNotFound(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** Loads the connected account that the URL names. Returns `undefined` if it does not exist. */
const findAccount = async ({ applicationId, accountId }: Selection, signal: AbortSignal) =>
  accountId === ''
    ? undefined
    : call(GET_ACCOUNT, { path: { applicationId, id: accountId } }, { signal }).catch(ifNotFound);

/** Returns the first connection that has an authorized account. If none has one, returns the first connection. */
async function firstUsable(applicationId: string, names: readonly string[], signal: AbortSignal) {
  if (names.length < 2) return names[0];
  const request = { path: { applicationId }, query: { pageSize: 200 } };
  const { items } = await call(LIST_SUMMARIES, request, { signal });
  const usable = new Set(
    items.filter(({ accounts }) => accounts.authorized > 0).map(({ connectionName }) => connectionName),
  );
  return names.find((name) => usable.has(name)) ?? names[0];
}

async function loadAccounts(selection: Selection, signal: AbortSignal): Promise<Accounts> {
  const { applicationId, identifier } = selection;
  const [all, accountInUrl] = await Promise.all([
    listConnections(applicationId, signal),
    findAccount(selection, signal),
  ]);
  const connections = all.filter(({ connector }) => connector === selection.connector);
  const names = connections.map((connection) => connection.connectionName);
  const inUrl = [selection.connectionName, accountInUrl?.connectionName].find(
    (name) => name !== undefined && names.includes(name),
  );
  const connectionName = inUrl ?? (await firstUsable(applicationId, names, signal));
  const shared = { connections, connectionName, isInUrl: inUrl !== undefined };
  if (connectionName === undefined) return { ...shared, accounts: [], hasMore: false };
  const query = { connectionName, status: 'authorized', identifier, pageSize: MAX_LISTED } as const;
  const page = await call(LIST_ACCOUNTS, { path: { applicationId }, query }, { signal });
  const isUsable = accountInUrl?.status === 'authorized' && accountInUrl.connectionName === connectionName;
  const others = page.items.filter(({ id }) => id !== accountInUrl?.id);
  return {
    ...shared,
    accounts: isUsable ? [accountInUrl, ...others] : others,
    hasMore: page.nextPageToken !== undefined,
  };
}

/**
 * Loads the accounts with which the operator can run a tool. If the URL names an account, only that account is chosen,
 * never another one. Otherwise the first account is chosen.
 */
export function useAccounts(applicationId: string, connector: string): AccountChoiceState {
  const { filters, setFilters } = useAddressFilters(['connectionName', 'accountId']);
  const [identifier, setIdentifier] = useState('');
  const { connectionName, accountId } = filters;
  const selection = { applicationId, connector, connectionName, identifier, accountId };
  const loaded = useLoaded(JSON.stringify(selection), (signal) => loadAccounts(selection, signal));
  const accounts = loaded.value?.accounts ?? [];
  return {
    loaded,
    chosen: accountId === '' ? accounts[0] : accounts.find(({ id }) => id === accountId),
    isMissing: loaded.value !== undefined && accountId !== '' && !accounts.some(({ id }) => id === accountId),
    identifier,
    setIdentifier,
    setConnection: (name) => setFilters({ connectionName: name, accountId: '' }),
    choose: ({ id }) => setFilters({ accountId: id }),
  };
}

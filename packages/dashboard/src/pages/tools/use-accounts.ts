import { useState } from 'preact/hooks';
import { type Answer, call } from '../../api/call.ts';
import { type ListedConnection, listConnections } from '../../api/connections.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { type Loaded, useLoaded } from '../../parts/loaded.tsx';

export type Account = Answer<'GET /operator/v1/applications/{applicationId}/accounts/{id}'>;

interface Accounts {
  readonly connections: readonly ListedConnection[];
  readonly connectionName: string | undefined;
  /** Tells whether the address names the connection. */
  readonly isAsked: boolean;
  /** The accounts that match the search, the chosen one first. */
  readonly found: readonly Account[];
  readonly hasMore: boolean;
}

export interface AccountChoiceState {
  readonly loaded: Loaded<Accounts>;
  readonly chosen: Account | undefined;
  readonly identifier: string;
  readonly setIdentifier: (identifier: string) => void;
  readonly setConnection: (connectionName: string) => void;
  readonly choose: (account: Account) => void;
}

/** The number of accounts to choose from without a search. */
const OFFERED = 8;

type Wanted = Readonly<
  Record<'applicationId' | 'connector' | 'connectionName' | 'identifier' | 'accountId', string>
>;

/** The account that the address names, if it still exists. */
const findAccount = async ({ applicationId, accountId }: Wanted, signal: AbortSignal) =>
  accountId === ''
    ? undefined
    : call(
        'GET /operator/v1/applications/{applicationId}/accounts/{id}',
        { path: { applicationId, id: accountId } },
        { signal },
      ).catch(() => undefined);

/** The first connection that has an authorized account, or the first of all. */
async function firstUsable(applicationId: string, names: readonly string[], signal: AbortSignal) {
  if (names.length < 2) return names[0];
  const { items } = await call(
    'GET /operator/v1/applications/{applicationId}/connection-summaries',
    { path: { applicationId }, query: { pageSize: 200 } },
    { signal },
  );
  const usable = new Set(
    items.filter(({ accounts }) => accounts.authorized > 0).map(({ connectionName }) => connectionName),
  );
  return names.find((name) => usable.has(name)) ?? names[0];
}

async function loadAccounts(wanted: Wanted, signal: AbortSignal): Promise<Accounts> {
  const path = { applicationId: wanted.applicationId };
  const [all, named] = await Promise.all([
    listConnections(wanted.applicationId, signal),
    findAccount(wanted, signal),
  ]);
  const connections = all.filter(({ connector }) => connector === wanted.connector);
  const names = connections.map((connection) => connection.connectionName);
  const asked = [wanted.connectionName, named?.connectionName].find(
    (name) => name !== undefined && names.includes(name),
  );
  const connectionName = asked ?? (await firstUsable(wanted.applicationId, names, signal));
  const of = { connections, connectionName, isAsked: asked !== undefined };
  if (connectionName === undefined) return { ...of, found: [], hasMore: false };
  const query = {
    connectionName,
    status: 'authorized',
    identifier: wanted.identifier,
    pageSize: OFFERED,
  } as const;
  const page = await call(
    'GET /operator/v1/applications/{applicationId}/accounts',
    { path, query },
    { signal },
  );
  const isUsable = named?.status === 'authorized' && named.connectionName === connectionName;
  const others = page.items.filter(({ id }) => id !== named?.id);
  return {
    ...of,
    found: isUsable ? [named, ...others] : others,
    hasMore: page.nextPageToken !== undefined,
  };
}

/** The account that a tool runs as: the one of the address, or the first. */
export function useAccounts(applicationId: string, connector: string): AccountChoiceState {
  const { filters, setFilters } = useAddressFilters(['connectionName', 'accountId']);
  const [identifier, setIdentifier] = useState('');
  const { connectionName, accountId } = filters;
  const wanted = { applicationId, connector, connectionName, identifier, accountId };
  const loaded = useLoaded(JSON.stringify(wanted), (signal) => loadAccounts(wanted, signal));
  const found = loaded.value?.found ?? [];
  return {
    loaded,
    chosen: found.find(({ id }) => id === accountId) ?? found[0],
    identifier,
    setIdentifier,
    setConnection: (name) => setFilters({ connectionName: name, accountId: '' }),
    choose: ({ id }) => setFilters({ accountId: id }),
  };
}

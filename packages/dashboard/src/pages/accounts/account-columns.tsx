import { call, type RequestOf, type ResponseOf } from '../../api/call.ts';
import { type Connector, withConnectors } from '../../api/catalogue.ts';
import { Logo } from '../../parts/logo.tsx';
import { StateCell } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { accountWords } from '../../words/states.ts';
import { upstreamUserOf, userOf } from '../../words/user-of.ts';

const LIST = 'GET /operator/v1/applications/{applicationId}/accounts';

export interface AccountListRow {
  readonly account: ResponseOf<typeof LIST>['items'][number];
  /** Connector of the account. `undefined` if the connector was removed from the catalogue. */
  readonly connector: Connector | undefined;
}

/** Loads one page of accounts with their connectors. */
export async function loadAccountRows(request: RequestOf<typeof LIST>, signal: AbortSignal) {
  const { value, connectorOf } = await withConnectors(call(LIST, request, { signal }));
  const items = value.items.map(
    (account): AccountListRow => ({ account, connector: connectorOf(account.connector) }),
  );
  return { ...value, items };
}

const Moment = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? <span class="soft">Never</span> : <Time at={at} />;

export const accountColumns = (
  applicationId: string,
  order?: Column<AccountListRow>['order'],
): readonly Column<AccountListRow>[] => [
  {
    title: 'User identifier',
    ...(order && { order }),
    cell: ({ account }) => (
      <a class="long" href={hrefOf(PATHS.account, { applicationId, accountId: account.id })}>
        {userOf(account)}
      </a>
    ),
  },
  {
    title: 'Upstream account',
    cell: ({ account }) => <span class="long">{upstreamUserOf(account.connectedAs)}</span>,
  },
  {
    title: 'Status',
    cell: ({ account, connector }) => (
      <StateCell
        words={accountWords({
          ...account,
          authType: connector?.authType ?? null,
          upstream: connector?.title ?? account.connector,
        })}
      />
    ),
  },
  {
    title: 'Connection',
    cell: ({ account: { connectionName }, connector }) => (
      <span class="named">
        <Logo svg={connector?.logo} small />
        <a href={hrefOf(PATHS.connection, { applicationId, connectionName })}>{connectionName}</a>
      </span>
    ),
  },
  { title: 'Last used', cell: ({ account }) => <Moment at={account.usedAt} /> },
];

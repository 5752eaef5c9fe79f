import { useRoute } from 'preact-iso';
import { call, type RequestOf, type ResponseOf } from '../../api/call.ts';
import { type Connector, withConnectors } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { LIVE_MS } from '../../parts/loaded.tsx';
import { Logo } from '../../parts/logo.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { StateCell } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { accountWords } from '../../words/states.ts';
import { userOf } from '../../words/user-of.ts';
import { AccountFilters, readFilter } from './account-filters.tsx';
import { ConnectAccount } from './connect-account.tsx';

const LIST = 'GET /operator/v1/applications/{applicationId}/accounts';

interface Row {
  readonly account: ResponseOf<typeof LIST>['items'][number];
  readonly connector: Connector | undefined;
}

async function loadRows(request: RequestOf<typeof LIST>, signal: AbortSignal) {
  const { value, connectorOf } = await withConnectors(call(LIST, request, { signal }));
  const rows = value.items.map((account): Row => ({ account, connector: connectorOf(account.connector) }));
  return { ...value, items: rows };
}

const Moment = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? <span class="soft">Never</span> : <Time at={at} />;

const columnsOf = (applicationId: string): readonly Column<Row>[] => [
  {
    title: 'Identifier',
    cell: ({ account }) => (
      <a href={hrefOf(PATHS.account, { applicationId, accountId: account.id })}>{userOf(account)}</a>
    ),
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
  { title: 'Last refreshed', cell: ({ account }) => <Moment at={account.refreshedAt} /> },
];

const NONE =
  'No connected accounts yet. Connect a test account on this page. Your users connect accounts with links that your application creates.';
const NO_MATCH = 'No account matches these filters. Remove a filter to see more accounts.';

export function Accounts() {
  const { applicationId = '' } = useRoute().params;
  const { filters, field } = useAddressFilters(['identifier', 'connectionName', 'status']);
  const filter = readFilter(filters);
  const { status, ...others } = filter;
  const query = { ...others, ...(status !== undefined && { status }) };
  return (
    <Page
      title="Connected accounts"
      about="Upstream accounts that your users connected, one account per user and connection."
      actions={
        mayChange() && <ConnectAccount applicationId={applicationId} connectionName={filter.connectionName} />
      }
    >
      <AccountFilters applicationId={applicationId} filter={filter} field={field} />
      <PagedTable
        caption="Connected accounts"
        columns={columnsOf(applicationId)}
        keyOf={({ account }) => account.id}
        of={JSON.stringify([applicationId, filter])}
        refreshMs={LIVE_MS}
        load={(page, signal) => loadRows({ path: { applicationId }, query: { ...query, ...page } }, signal)}
        empty={<Empty text={Object.values(filter).some(Boolean) ? NO_MATCH : NONE} />}
      />
    </Page>
  );
}

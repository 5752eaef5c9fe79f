import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { addressOf, call } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { ExportLink } from '../../parts/export-link.tsx';
import { LIVE_MS } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable, type PageQuery } from '../../parts/paged-table.tsx';
import { type AccountListRow, accountColumns, loadAccountRows } from './account-columns.tsx';
import { AccountFilters, queryOf } from './account-filters.tsx';
import { ConnectAccount } from './connect-account.tsx';
import { NewLinks, type Selected, selectionColumn } from './new-links.tsx';

const COUNT = 'GET /operator/v1/applications/{applicationId}/accounts/count';
const EXPORT = 'GET /operator/v1/applications/{applicationId}/accounts/export';

const NONE =
  'No connected accounts yet. Connect a test account on this page. Your users connect accounts with links that your application creates.';
const NO_MATCH = 'No account matches these filters. Remove a filter to see more accounts.';

export function Accounts() {
  const { applicationId = '' } = useRoute().params;
  const addressFilters = useAddressFilters(['identifier', 'exact', 'connectionName', 'status', 'order']);
  const { filters, setFilters } = addressFilters;
  const [rows, setRows] = useState<readonly AccountListRow[]>([]);
  const [selected, select] = useState<Selected>(new Map());
  const query = queryOf(filters);
  const isDescending = query.order === 'descending';
  const load = async (page: PageQuery, signal: AbortSignal) => {
    const loaded = await loadAccountRows({ path: { applicationId }, query: { ...query, ...page } }, signal);
    setRows(loaded.items);
    return loaded;
  };
  const sort = (descending: boolean) => setFilters({ order: descending ? 'descending' : '' });
  const columns = accountColumns(applicationId, { isDescending, sort });
  return (
    <Page
      title="Connected accounts"
      about="Accounts that your users connected at upstream services. A user can connect several accounts, each with its own label."
      actions={
        <>
          <ExportLink href={addressOf(EXPORT, { path: { applicationId }, query })} />
          {mayChange() && (
            <ConnectAccount applicationId={applicationId} connectionName={filters.connectionName} />
          )}
        </>
      }
    >
      <AccountFilters applicationId={applicationId} {...addressFilters} />
      {mayChange() && (
        <NewLinks applicationId={applicationId} rows={rows} selected={selected} select={select} />
      )}
      <PagedTable
        caption="Connected accounts"
        columns={mayChange() ? [selectionColumn(selected, select), ...columns] : columns}
        keyOf={({ account }) => account.id}
        of={JSON.stringify([applicationId, query])}
        refreshMs={LIVE_MS}
        load={load}
        loadCount={(signal) => call(COUNT, { path: { applicationId }, query }, { signal })}
        empty={
          <Empty text={filters.identifier || filters.connectionName || filters.status ? NO_MATCH : NONE} />
        }
      />
    </Page>
  );
}

import { useRoute } from 'preact-iso';
import { addressOf, call, type ResponseOf } from '../../api/call.ts';
import { timeOrderOf, useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { ExportLink } from '../../parts/export-link.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Badge } from '../../parts/state.tsx';
import type { Column, ColumnOrder } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { type ApprovalStatus, approvalWords, callerWords, STATUSES } from '../../words/approvals.ts';
import { timesInWords } from '../../words/times.ts';
import { userOf } from '../../words/user-of.ts';

const LIST = 'GET /operator/v1/applications/{applicationId}/approvals';
const COUNT = 'GET /operator/v1/applications/{applicationId}/approvals/count';
const EXPORT = 'GET /operator/v1/applications/{applicationId}/approvals/export';
const REFRESH_MS = 5000;

type Approval = ResponseOf<typeof LIST>['items'][number];

const columnsFor = (applicationId: string, order: ColumnOrder): readonly Column<Approval>[] => [
  {
    title: 'Call',
    cell: ({ id, sentence }) => (
      <a href={hrefOf(PATHS.approval, { applicationId, approvalId: id })}>{timesInWords(sentence)}</a>
    ),
  },
  {
    title: 'Status',
    cell: ({ status }) => <Badge tone={approvalWords(status).tone}>{approvalWords(status).title}</Badge>,
  },
  {
    title: 'Account',
    cell: (approval) => (
      <a class="long" href={hrefOf(PATHS.user, { applicationId, identifier: approval.identifier })}>
        {userOf(approval)}
      </a>
    ),
  },
  { title: 'Requested by', cell: ({ requestedBy }) => callerWords(requestedBy) },
  { title: 'Requested at', order, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: 'Expires at',
    cell: ({ status, expiresAt }) => (status === 'pending' ? <Time at={expiresAt} /> : ''),
  },
];

export function Approvals() {
  const { applicationId = '' } = useRoute().params;
  const addressFilters = useAddressFilters(['status', 'identifier', 'order']);
  const { filters, field } = addressFilters;
  const order = timeOrderOf(addressFilters);
  const { identifier } = filters;
  const status = filters.status as ApprovalStatus | '';
  const query = { ...(status !== '' && { status }), ...(identifier !== '' && { identifier }) };
  return (
    <Page
      title="Approvals"
      about="Tool calls that need a person’s approval. The settings of a connection and the limits of an agent token determine which calls need it."
      actions={<ExportLink href={addressOf(EXPORT, { path: { applicationId }, query })} />}
    >
      <search class="filters">
        <SelectField label="Status" {...field('status')} choices={STATUSES} />
        <SearchField label="User" {...field('identifier')} />
      </search>
      <PagedTable
        caption={`Approvals, ${order.words}`}
        of={JSON.stringify([applicationId, status, identifier, order.words])}
        columns={columnsFor(applicationId, order.column)}
        keyOf={({ id }) => id}
        refreshMs={REFRESH_MS}
        load={(page, signal) =>
          call(LIST, { path: { applicationId }, query: { ...query, ...order.query, ...page } }, { signal })
        }
        loadCount={(signal) => call(COUNT, { path: { applicationId }, query }, { signal })}
        empty={
          <Empty text="No approvals found. In the settings of a connection, choose which calls need approval.">
            <a class="button" href={hrefOf(PATHS.connections, { applicationId })}>
              Open connections
            </a>
          </Empty>
        }
      />
    </Page>
  );
}

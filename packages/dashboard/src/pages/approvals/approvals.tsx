import { useRoute } from 'preact-iso';
import { type Answer, call } from '../../api/call.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { SelectField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Badge } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { type ApprovalStatus, approvalWords, callerWords, STATUSES } from '../../words/approvals.ts';

type List = 'GET /operator/v1/applications/{applicationId}/approvals';
type Row = Answer<List>['items'][number];

const LIST_EVERY_MS = 5000;

const columnsFor = (applicationId: string): readonly Column<Row>[] => [
  {
    title: 'What would happen',
    cell: ({ id, sentence }) => (
      <a href={hrefOf(PATHS.approval, { applicationId, approvalId: id })}>{sentence}</a>
    ),
  },
  {
    title: 'State',
    cell: ({ status }) => <Badge tone={approvalWords(status).tone}>{approvalWords(status).title}</Badge>,
  },
  { title: 'For', cell: ({ identifier }) => identifier },
  { title: 'Who asks', cell: ({ requestedBy }) => callerWords(requestedBy) },
  { title: 'Asked', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: 'Until',
    cell: ({ status, expiresAt }) => (status === 'pending' ? <Time at={expiresAt} /> : ''),
  },
];

export function Approvals() {
  const { applicationId = '' } = useRoute().params;
  const { filters, field } = useAddressFilters(['status']);
  const status = filters.status as ApprovalStatus | '';
  return (
    <Page
      title="Approvals"
      about="Calls that wait for a person’s yes. Which ones do is said by their connection, or by the token of the agent that makes them."
    >
      <SelectField label="State" {...field('status')} choices={STATUSES} />
      <PagedTable
        caption="Approvals, newest first"
        of={JSON.stringify([applicationId, status])}
        columns={columnsFor(applicationId)}
        keyOf={({ id }) => id}
        refreshMs={LIST_EVERY_MS}
        load={(page, signal) =>
          call(
            'GET /operator/v1/applications/{applicationId}/approvals',
            { path: { applicationId }, query: { ...(status !== '' && { status }), ...page } },
            { signal },
          )
        }
        empty={
          <div class="empty">
            <p>Nothing waits for a decision, and nothing did. A connection’s settings say which calls do.</p>
            <a class="button" href={hrefOf(PATHS.connections, { applicationId })}>
              Go to the connections
            </a>
          </div>
        }
      />
    </Page>
  );
}

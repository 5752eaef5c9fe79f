import type { RequestOf, ResponseOf } from '../../api/call.ts';
import { Show, useCall } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import { OutcomeBadge } from '../executions/outcome-badge.tsx';
import { titleOf } from '../executions/timeline.ts';

const LIST = 'GET /operator/v1/applications/{applicationId}/executions';

type Execution = ResponseOf<typeof LIST>['items'][number];

const PAGE_SIZE = 8;

const columnsOf = (applicationId: string): readonly Column<Execution>[] => [
  {
    title: 'Call',
    cell: (execution) => (
      <a href={hrefOf(PATHS.execution, { applicationId, executionId: execution.id })}>{titleOf(execution)}</a>
    ),
  },
  { title: 'Outcome', cell: OutcomeBadge },
  { title: 'Duration', isNumber: true, cell: ({ durationMs }) => duration(durationMs) },
  { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
];

export function AccountExecutions({
  applicationId,
  accountId,
}: RequestOf<typeof LIST>['path'] & { readonly accountId: string }) {
  const latest = useCall(LIST, { path: { applicationId }, query: { accountId, pageSize: PAGE_SIZE } });
  return (
    <Show of={latest}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="soft">No calls with this account yet. Run a tool to make the first call.</p>
        ) : (
          <>
            <Table
              caption="Calls with this account, newest first"
              columns={columnsOf(applicationId)}
              rows={items}
              keyOf={({ id }) => id}
            />
            <p>
              <a href={withQuery(hrefOf(PATHS.executions, { applicationId }), { accountId })}>
                All calls with this account
              </a>
            </p>
          </>
        )
      }
    </Show>
  );
}

import type { ResponseOf } from '../../api/call.ts';
import { LIVE_MS, Show, useCall, useRefresh } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { titleOf } from './timeline.ts';

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

interface RecentExecutionsProps {
  readonly applicationId: string;
  /** Account or user whose calls are listed. */
  readonly of: { readonly accountId: string } | { readonly identifier: string };
  /** Name of the owner in texts: `this account` or `this user`. */
  readonly owner: string;
}

export function RecentExecutions({ applicationId, of, owner }: RecentExecutionsProps) {
  const latest = useCall(LIST, { path: { applicationId }, query: { ...of, pageSize: PAGE_SIZE } });
  useRefresh(latest, LIVE_MS);
  return (
    <Show of={latest}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="soft">No calls for {owner} yet. Run a tool to make the first call.</p>
        ) : (
          <>
            <Table
              caption={`Calls for ${owner}, newest first`}
              columns={columnsOf(applicationId)}
              rows={items}
              keyOf={({ id }) => id}
            />
            <p>
              <a href={withQuery(hrefOf(PATHS.executions, { applicationId }), { ...of, range: '30d' })}>
                All calls for {owner}
              </a>
            </p>
          </>
        )
      }
    </Show>
  );
}

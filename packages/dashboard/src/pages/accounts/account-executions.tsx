import type { Answer } from '../../api/call.ts';
import { Show, useCall } from '../../parts/loaded.tsx';
import { Badge } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { failureWords } from '../../words/error-codes.ts';
import { duration } from '../../words/times.ts';
import { isFailed, titleOf } from '../executions/story.ts';

const LIST = 'GET /operator/v1/applications/{applicationId}/executions';

type Execution = Answer<typeof LIST>['items'][number];

interface AccountExecutionsProps {
  readonly applicationId: string;
  readonly accountId: string;
}

const SHOWN = 8;

const columnsOf = (applicationId: string): readonly Column<Execution>[] => [
  {
    title: 'Call',
    cell: (execution) => (
      <a href={hrefOf(PATHS.execution, { applicationId, executionId: execution.id })}>{titleOf(execution)}</a>
    ),
  },
  {
    title: 'Outcome',
    cell: (execution) =>
      isFailed(execution) ? (
        <Badge tone="bad">{failureWords(execution).title}</Badge>
      ) : (
        <Badge tone="good">Done</Badge>
      ),
  },
  { title: 'Took', isNumber: true, cell: ({ durationMs }) => duration(durationMs) },
  { title: 'When', cell: ({ startedAt }) => <Time at={startedAt} /> },
];

/** The latest calls with an account. */
export function AccountExecutions({ applicationId, accountId }: AccountExecutionsProps) {
  const latest = useCall(LIST, { path: { applicationId }, query: { accountId, pageSize: SHOWN } });
  return (
    <Show of={latest}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="soft">Nothing was called with this account yet.</p>
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

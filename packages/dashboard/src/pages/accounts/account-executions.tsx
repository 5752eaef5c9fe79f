import { type Answer, call } from '../../api/call.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { hrefOf } from '../../pages.ts';
import { withQuery } from '../../parts/address.ts';
import { Badge } from '../../parts/badge.tsx';
import { Show } from '../../parts/show.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { PATHS } from '../../paths.ts';

const LIST = 'GET /operator/v1/applications/{applicationId}/executions';

type Execution = Answer<typeof LIST>['items'][number];

interface AccountExecutionsProps {
  readonly applicationId: string;
  readonly accountId: string;
}

const SHOWN = 8;
const isGood = ({ status }: Execution): boolean => status < 400;

const columnsOf = (applicationId: string): readonly Column<Execution>[] => [
  {
    title: 'Call',
    cell: ({ id, toolName, method }) => (
      <a href={hrefOf(PATHS.execution, { applicationId, executionId: id })}>
        {toolName ? <code>{toolName}</code> : `${method} by the proxy`}
      </a>
    ),
  },
  {
    title: 'Result',
    cell: (execution) => (
      <Badge tone={isGood(execution) ? 'good' : 'bad'}>
        {execution.status} {execution.errorCode?.replaceAll('_', ' ')}
      </Badge>
    ),
  },
  { title: 'Took', isNumber: true, cell: ({ durationMs }) => `${durationMs} ms` },
  { title: 'When', cell: ({ startedAt }) => <Time at={startedAt} /> },
];

/** The latest calls with an account; the page of executions has the others. */
export function AccountExecutions({ applicationId, accountId }: AccountExecutionsProps) {
  const latest = useLoaded(accountId, (signal) =>
    call(LIST, { path: { applicationId }, query: { accountId, pageSize: SHOWN } }, { signal }),
  );
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

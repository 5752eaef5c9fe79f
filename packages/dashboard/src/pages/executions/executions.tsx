import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { addressOf, call, type ResponseOf } from '../../api/call.ts';
import { timeOrderOf, useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { ExportLink } from '../../parts/export-link.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Badge } from '../../parts/state.tsx';
import type { Column, ColumnOrder } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import { userOf } from '../../words/user-of.ts';
import '../../styles/executions.css';
import { ExecutionFilters } from './execution-filters.tsx';
import { CUSTOM_RANGE, FILTERS, listQuery, ownRange, readFilters } from './filters.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import {
  type RangeProps,
  rowsWords,
  StatisticsPanel,
  StatisticsStrip,
  useStatistics,
} from './statistics-panel.tsx';
import { titleOf } from './timeline.ts';

const LIST = 'GET /operator/v1/applications/{applicationId}/executions';
const COUNT = 'GET /operator/v1/applications/{applicationId}/executions/count';
const EXPORT = 'GET /operator/v1/applications/{applicationId}/executions/export';
const LIST_REFRESH_MS = 2000;
const CHART_REFRESH_MS = 30_000;

type Execution = ResponseOf<typeof LIST>['items'][number];

const columnsFor = (applicationId: string, order: ColumnOrder): readonly Column<Execution>[] => [
  {
    title: 'Call',
    cell: (row) => (
      <a href={hrefOf(PATHS.execution, { applicationId, executionId: row.id })}>{titleOf(row)}</a>
    ),
  },
  { title: 'Outcome', cell: OutcomeBadge },
  {
    title: 'Started',
    cell: ({ startedAt }) => <Time at={startedAt} />,
    order,
  },
  { title: 'User', cell: (row) => <UserCell applicationId={applicationId} execution={row} /> },
  { title: 'Connection', cell: ({ connectionName }) => connectionName },
  { title: 'Duration', cell: ({ durationMs }) => duration(durationMs), isNumber: true },
];

interface UserCellProps {
  readonly applicationId: string;
  readonly execution: Execution;
}

/** Shows the user of a call, or the id of the call's account if the account was deleted. */
const UserCell = ({
  applicationId,
  execution: { accountId, accountIdentifier: identifier, accountLabel: account },
}: UserCellProps) =>
  identifier === undefined ? (
    <code class="soft">{accountId}</code>
  ) : (
    <a class="long" href={hrefOf(PATHS.user, { applicationId, identifier })}>
      {userOf({ identifier, account })}
    </a>
  );

export function Executions() {
  const { applicationId = '' } = useRoute().params;
  const { filters: query, setFilters } = useAddressFilters(FILTERS);
  const [isPaused, setPaused] = useState(false);
  const filters = readFilters(query);
  const isLive = !isPaused && !(filters.range === CUSTOM_RANGE.value && filters.until !== '');
  const refreshMs = isLive ? CHART_REFRESH_MS : undefined;
  const statistics = useStatistics({ applicationId, filters, refreshMs });
  return (
    <Page
      title="Executions"
      about="Calls that your application made on behalf of your users. The service does not store inputs or responses."
      actions={
        <>
          <ExportLink
            href={addressOf(EXPORT, { path: { applicationId }, query: listQuery(filters, new Date()) })}
          />
          <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Resume updates' : 'Pause updates'}
          </button>
        </>
      }
    >
      <ExecutionFilters applicationId={applicationId} filters={filters} change={setFilters} />
      <StatisticsStrip loaded={statistics} onRange={(from, to) => setFilters(ownRange(from, to))} />
      <List
        applicationId={applicationId}
        filters={filters}
        refreshMs={isLive ? LIST_REFRESH_MS : undefined}
        order={timeOrderOf({ filters: query, setFilters })}
      />
      <StatisticsPanel loaded={statistics} />
    </Page>
  );
}

interface ListProps extends RangeProps {
  readonly order: ReturnType<typeof timeOrderOf>;
}

const List = ({ applicationId, filters, refreshMs, order }: ListProps) => (
  <section class="stack" aria-labelledby="calls">
    <h2 id="calls" class="row">
      Calls
      {refreshMs !== undefined && <Badge tone="good">Live</Badge>}
    </h2>
    <PagedTable
      caption={`Executions, ${order.words}`}
      of={JSON.stringify([applicationId, filters])}
      columns={columnsFor(applicationId, order.column)}
      keyOf={({ id }) => id}
      refreshMs={refreshMs}
      load={(page, signal) =>
        call(
          LIST,
          { path: { applicationId }, query: { ...listQuery(filters, new Date()), ...page } },
          { signal },
        )
      }
      loadCount={(signal) =>
        call(COUNT, { path: { applicationId }, query: listQuery(filters, new Date()) }, { signal })
      }
      countWords={rowsWords}
      empty={
        <Empty text="No calls match these filters and this time range.">
          <a class="button" href={hrefOf(PATHS.tools, { applicationId })}>
            Try a tool
          </a>
        </Empty>
      }
    />
  </section>
);

import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call, type ResponseOf } from '../../api/call.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Badge } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import '../../styles/executions.css';
import { ExecutionFilters } from './execution-filters.tsx';
import { CUSTOM_RANGE, FILTERS, listQuery, readFilters } from './filters.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { type RangeProps, StatisticsPanel } from './statistics-panel.tsx';
import { titleOf } from './timeline.ts';

const LIST = 'GET /operator/v1/applications/{applicationId}/executions';
const LIST_REFRESH_MS = 2000;
const CHART_REFRESH_MS = 30_000;

const columnsFor = (applicationId: string): readonly Column<ResponseOf<typeof LIST>['items'][number]>[] => [
  {
    title: 'Call',
    cell: (row) => (
      <a href={hrefOf(PATHS.execution, { applicationId, executionId: row.id })}>{titleOf(row)}</a>
    ),
  },
  { title: 'Outcome', cell: OutcomeBadge },
  { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: 'Connection', cell: ({ connectionName }) => connectionName },
  { title: 'Status', cell: ({ status }) => status, isNumber: true },
  { title: 'Upstream status', cell: ({ upstreamStatus }) => upstreamStatus ?? '', isNumber: true },
  { title: 'Duration', cell: ({ durationMs }) => duration(durationMs), isNumber: true },
];

export function Executions() {
  const { applicationId = '' } = useRoute().params;
  const { filters: query, setFilters } = useAddressFilters(FILTERS);
  const [isPaused, setPaused] = useState(false);
  const filters = readFilters(query);
  const isLive = !isPaused && !(filters.range === CUSTOM_RANGE.value && filters.until !== '');
  return (
    <Page
      title="Executions"
      about="Calls that your application made on behalf of your users. The service does not store inputs and responses."
      actions={
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </button>
      }
    >
      <ExecutionFilters applicationId={applicationId} filters={filters} change={setFilters} />
      <StatisticsPanel
        applicationId={applicationId}
        filters={filters}
        refreshMs={isLive ? CHART_REFRESH_MS : undefined}
      />
      <List
        applicationId={applicationId}
        filters={filters}
        refreshMs={isLive ? LIST_REFRESH_MS : undefined}
      />
    </Page>
  );
}

const List = ({ applicationId, filters, refreshMs }: RangeProps) => (
  <section class="stack" aria-labelledby="calls">
    <h2 id="calls" class="row">
      Calls
      {refreshMs !== undefined && <Badge tone="good">Live</Badge>}
    </h2>
    <PagedTable
      caption="Executions, newest first"
      of={JSON.stringify([applicationId, filters])}
      columns={columnsFor(applicationId)}
      keyOf={({ id }) => id}
      refreshMs={refreshMs}
      load={(page, signal) =>
        call(
          LIST,
          { path: { applicationId }, query: { ...listQuery(filters, new Date()), ...page } },
          { signal },
        )
      }
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

import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { type Answer, call } from '../../api/call.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Badge } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import '../../styles/executions.css';
import { failureWords } from '../../words/error-codes.ts';
import { ExecutionFilters } from './execution-filters.tsx';
import { FILTERS, listQuery, OWN_RANGE, readFilters } from './filters.ts';
import { type RangeProps, StatisticsPanel } from './statistics-panel.tsx';
import { isFailed, titleOf } from './story.ts';

type List = 'GET /operator/v1/applications/{applicationId}/executions';
type Row = Answer<List>['items'][number];

const LIST_EVERY_MS = 2000;
const CHARTS_EVERY_MS = 30_000;

const columnsFor = (applicationId: string): readonly Column<Row>[] => [
  {
    title: 'What',
    cell: (row) => (
      <a href={hrefOf(PATHS.execution, { applicationId, executionId: row.id })}>{titleOf(row)}</a>
    ),
  },
  {
    title: 'Outcome',
    cell: (row) =>
      isFailed(row) ? <Badge tone="bad">{failureWords(row).title}</Badge> : <Badge tone="good">Done</Badge>,
  },
  { title: 'When', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: 'Connection', cell: ({ connectionName }) => connectionName },
  { title: 'Status', cell: ({ status }) => status, isNumber: true },
  { title: 'Upstream', cell: ({ upstreamStatus }) => upstreamStatus ?? '', isNumber: true },
  { title: 'Took', cell: ({ durationMs }) => duration(durationMs), isNumber: true },
];

/** The list of executions, reloaded while they run. */
export function Executions() {
  const { applicationId = '' } = useRoute().params;
  const { filters: query, setFilters } = useAddressFilters(FILTERS);
  const [isPaused, setPaused] = useState(false);
  const filters = readFilters(query);
  const isLive = !isPaused && !(filters.range === OWN_RANGE.value && filters.until !== '');
  return (
    <Page
      title="Executions"
      about="Every call that your application made as one of its users. What was sent and answered is not kept."
      actions={
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Go on' : 'Pause'}
        </button>
      }
    >
      <ExecutionFilters applicationId={applicationId} filters={filters} change={setFilters} />
      <StatisticsPanel
        applicationId={applicationId}
        filters={filters}
        refreshMs={isLive ? CHARTS_EVERY_MS : undefined}
      />
      <List applicationId={applicationId} filters={filters} refreshMs={isLive ? LIST_EVERY_MS : undefined} />
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
          'GET /operator/v1/applications/{applicationId}/executions',
          { path: { applicationId }, query: { ...listQuery(filters, new Date()), ...page } },
          { signal },
        )
      }
      empty={<Nothing applicationId={applicationId} />}
    />
  </section>
);

const Nothing = ({ applicationId }: Pick<RangeProps, 'applicationId'>) => (
  <div class="empty">
    <p>Nothing ran in this time, or nothing that fits the filters.</p>
    <a class="button" href={hrefOf(PATHS.tools, { applicationId })}>
      Try a tool
    </a>
  </div>
);

import type { Problems } from '../../api/problems.ts';
import { StateCell } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import '../../styles/webhooks.css';
import { hrefOf, PATHS } from '../../paths.ts';
import { endpointWords } from '../../words/endpoint-states.ts';

type EndpointProblem = Problems['webhookEndpoints'][number];

interface TroubledEndpointsProps {
  readonly endpoints: readonly EndpointProblem[];
  /** Returns the name of an application. Absent if all endpoints belong to the application of the page. */
  readonly nameOf?: (applicationId: string) => string;
}

const COLUMNS: readonly Column<EndpointProblem>[] = [
  {
    title: 'Endpoint',
    cell: ({ applicationId, id, url }) => (
      <a class="url" href={hrefOf(PATHS.webhookEndpoint, { applicationId, endpointId: id })}>
        {url}
      </a>
    ),
  },
  {
    title: 'State',
    cell: (problem) => (
      <StateCell words={endpointWords({ ...problem, enabled: problem.disabledReason === undefined })} />
    ),
  },
];

/** Lists webhook endpoints that the service disabled, or that fail. Shows nothing if there are none. */
export function TroubledEndpoints({ endpoints, nameOf }: TroubledEndpointsProps) {
  if (endpoints.length === 0) return null;
  const [endpoint, ...others] = COLUMNS;
  const application: Column<EndpointProblem> | undefined = nameOf && {
    title: 'Application',
    cell: ({ applicationId }) => nameOf(applicationId),
  };
  return (
    <section class={nameOf ? 'stack' : 'panel'} aria-labelledby="endpoints">
      <h2 id="endpoints">Webhook endpoints that need attention</h2>
      <Table
        caption="Disabled and failing endpoints"
        columns={[endpoint, application, ...others].filter((column) => column !== undefined)}
        rows={endpoints}
        keyOf={({ applicationId, id }) => `${applicationId} ${id}`}
      />
    </section>
  );
}

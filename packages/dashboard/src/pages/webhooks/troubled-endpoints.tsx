import type { Problems } from '../../api/problems.ts';
import { StateCell } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { TroubleList } from '../../parts/trouble-list.tsx';
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

/** Lists webhook endpoints that the service disabled, or that fail. */
export const TroubledEndpoints = ({ endpoints, nameOf }: TroubledEndpointsProps) => (
  <TroubleList
    title="Webhook endpoints that need attention"
    columns={COLUMNS}
    rows={endpoints}
    nameOf={nameOf}
  />
);

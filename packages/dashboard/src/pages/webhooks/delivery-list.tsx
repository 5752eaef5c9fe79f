import { call, type RequestOf, type ResponseOf } from '../../api/call.ts';
import { Empty } from '../../parts/empty.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Badge } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { deliveryWords, titleOfEvent } from '../../words/webhooks.ts';

const COUNT = 'GET /operator/v1/applications/{applicationId}/deliveries/count';
const LIST = 'GET /operator/v1/applications/{applicationId}/deliveries';
const REFRESH_MS = 5000;

export type DeliveryQuery = NonNullable<RequestOf<typeof LIST>['query']>;
type Delivery = ResponseOf<typeof LIST>['items'][number];

interface DeliveryListProps {
  readonly applicationId: string;
  readonly query: DeliveryQuery;
  /**
   * Returns the name of a webhook endpoint. Absent if all listed deliveries belong to one endpoint; the table then
   * omits it.
   */
  readonly nameOf?: (endpointId: string) => string;
  readonly empty: string;
}

function columnsOf({ applicationId, nameOf }: DeliveryListProps): readonly Column<Delivery>[] {
  const endpoint: Column<Delivery> | undefined = nameOf && {
    title: 'Endpoint',
    cell: ({ endpointId }) => (
      <a class="url" href={hrefOf(PATHS.webhookEndpoint, { applicationId, endpointId })}>
        {nameOf(endpointId)}
      </a>
    ),
  };
  const columns: readonly (Column<Delivery> | undefined)[] = [
    {
      title: 'Event',
      cell: ({ id, type }) => (
        <a href={hrefOf(PATHS.delivery, { applicationId, deliveryId: id })}>{titleOfEvent(type)}</a>
      ),
    },
    {
      title: 'State',
      cell: (delivery) => <Badge tone={deliveryWords(delivery).tone}>{deliveryWords(delivery).title}</Badge>,
    },
    endpoint,
    { title: 'Attempts', cell: ({ attemptCount }) => attemptCount, isNumber: true },
    { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'Next attempt',
      cell: ({ nextAttemptAt }) => nextAttemptAt !== undefined && <Time at={nextAttemptAt} />,
    },
  ];
  return columns.filter((column) => column !== undefined);
}

/** Table of webhook deliveries, newest first, which reloads itself regularly. */
export const DeliveryList = (props: DeliveryListProps) => (
  <PagedTable
    caption="Deliveries, newest first"
    of={JSON.stringify([props.applicationId, props.query])}
    columns={columnsOf(props)}
    keyOf={({ id }) => id}
    refreshMs={REFRESH_MS}
    load={(page, signal) =>
      call(
        LIST,
        { path: { applicationId: props.applicationId }, query: { pageSize: 20, ...props.query, ...page } },
        { signal },
      )
    }
    loadCount={(signal) =>
      call(COUNT, { path: { applicationId: props.applicationId }, query: props.query }, { signal })
    }
    empty={<Empty text={props.empty} />}
  />
);

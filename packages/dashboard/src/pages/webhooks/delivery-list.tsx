import { call, type RequestOf, type ResponseOf } from '../../api/call.ts';
import { timeOrderOf, useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Badge } from '../../parts/state.tsx';
import type { Column, ColumnOrder } from '../../parts/table.tsx';
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
   * omits the column “Endpoint”.
   */
  readonly nameOf?: (endpointId: string) => string;
  readonly empty: string;
}

function columnsOf(
  { applicationId, nameOf }: DeliveryListProps,
  order: ColumnOrder,
): readonly Column<Delivery>[] {
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
    { title: 'Created', order, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'Next attempt',
      cell: NextAttempt,
    },
  ];
  return columns.filter((column) => column !== undefined);
}

/** Shows when the next attempt starts. An attempt that is due waits for the endpoint, which may be disabled. */
const NextAttempt = ({ nextAttemptAt }: Delivery) => {
  if (nextAttemptAt === undefined) return null;
  return Date.parse(nextAttemptAt) <= Date.now() ? 'Due' : <Time at={nextAttemptAt} />;
};

/** Table of webhook deliveries, newest first by default, which reloads itself regularly. */
export function DeliveryList(props: DeliveryListProps) {
  const { applicationId, query, empty } = props;
  const order = timeOrderOf(useAddressFilters(['order']));
  return (
    <PagedTable
      caption={`Deliveries, ${order.words}`}
      of={JSON.stringify([applicationId, query, order.words])}
      columns={columnsOf(props, order.column)}
      keyOf={({ id }) => id}
      refreshMs={REFRESH_MS}
      load={(page, signal) =>
        call(
          LIST,
          { path: { applicationId }, query: { pageSize: 20, ...query, ...order.query, ...page } },
          { signal },
        )
      }
      loadCount={(signal) => call(COUNT, { path: { applicationId }, query }, { signal })}
      empty={<Empty text={empty} />}
    />
  );
}

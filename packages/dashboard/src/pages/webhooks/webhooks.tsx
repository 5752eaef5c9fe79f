import { useRoute } from 'preact-iso';
import { addressOf } from '../../api/call.ts';
import { loadUpstreamEventTypes } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { type ListedEndpoint, listEndpoints, urlsOf } from '../../api/webhooks.ts';
import { type AddressFilters, useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { ExportLink } from '../../parts/export-link.tsx';
import { ALL, SelectField, withChosen } from '../../parts/field.tsx';
import { IdFilters } from '../../parts/id-filters.tsx';
import { type Loaded, Show, useLoaded, useRefresh } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { StateCell } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { WholeTable } from '../../parts/whole-table.tsx';
import '../../styles/webhooks.css';
import { hrefOf, PATHS } from '../../paths.ts';
import { endpointWords } from '../../words/endpoint-states.ts';
import {
  DELIVERY_STATES,
  type DeliveryState,
  EVENT_TITLES,
  titleOfEvent,
  typesWords,
} from '../../words/webhooks.ts';
import { AddEndpoint } from './add-endpoint.tsx';
import { DeliveryList, type DeliveryQuery } from './delivery-list.tsx';

const EXPORT = 'GET /operator/v1/applications/{applicationId}/deliveries/export';
const REFRESH_MS = 5000;

const orderWords = ({ ordered }: ListedEndpoint): string =>
  ordered ? 'In order for each account' : 'Any order';

const columnsOf = (applicationId: string): readonly Column<ListedEndpoint>[] => [
  {
    title: 'Endpoint',
    value: ({ url }) => url,
    cell: ({ id, url, description }) => (
      <>
        <a class="url" href={hrefOf(PATHS.webhookEndpoint, { applicationId, endpointId: id })}>
          {url}
        </a>
        {description !== undefined && <p class="soft">{description}</p>}
      </>
    ),
  },
  {
    title: 'State',
    value: (endpoint) => endpointWords(endpoint).title,
    cell: (endpoint) => <StateCell words={endpointWords(endpoint)} />,
  },
  { title: 'Events', value: ({ types }) => typesWords(types), cell: ({ types }) => typesWords(types) },
  { title: 'Order of events', value: orderWords, cell: orderWords },
  { title: 'Created', value: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

interface EndpointsProps {
  readonly applicationId: string;
  readonly loaded: Loaded<readonly ListedEndpoint[]>;
}

const Endpoints = ({ applicationId, loaded }: EndpointsProps) => (
  <section class="stack" aria-labelledby="endpoints">
    <h2 id="endpoints">Endpoints</h2>
    <Show of={loaded}>
      {(items) =>
        items.length === 0 ? (
          <Empty text="No endpoints yet. An endpoint is a URL of your application that gets events as signed requests." />
        ) : (
          <WholeTable
            caption="Webhook endpoints"
            csvName="webhook-endpoints"
            columns={columnsOf(applicationId)}
            rows={items}
            keyOf={({ id }) => id}
          />
        )
      }
    </Show>
  </section>
);

const FILTERS = ['endpointId', 'type', 'state', 'accountId', 'eventId'] as const;
const ID_FILTERS = [
  { name: 'accountId', label: 'Account ID' },
  { name: 'eventId', label: 'Event ID' },
] as const;

const choicesOf = (titles: Readonly<Record<string, string>>) => [
  ALL,
  ...Object.entries(titles).map(([value, title]) => ({ value, title })),
];
const STATES = choicesOf(DELIVERY_STATES);

/** Reads the filters of the delivery list from the URL. Invalid values are kept, because the service reports them. */
function queryOf({ type, state, ...ids }: Readonly<Record<(typeof FILTERS)[number], string>>): DeliveryQuery {
  const given = Object.entries(ids).filter(([, id]) => id !== '');
  return {
    ...Object.fromEntries(given),
    ...(type !== '' && { type }),
    ...(state !== '' && { state: state as DeliveryState }),
  };
}

interface DeliveriesProps extends Pick<AddressFilters<(typeof FILTERS)[number]>, 'filters' | 'field'> {
  readonly applicationId: string;
  readonly query: DeliveryQuery;
  /** URLs of the endpoints by their ids. */
  readonly urls: Readonly<Record<string, string>>;
}

function Deliveries({ applicationId, filters, field, query, urls }: DeliveriesProps) {
  const { value: upstreamTypes = [] } = useLoaded('', loadUpstreamEventTypes);
  const types = [
    ...choicesOf(EVENT_TITLES),
    ...upstreamTypes.map((type) => ({ value: type, title: titleOfEvent(type) })),
  ];
  return (
    <section class="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <search class="filters">
        <SelectField
          label="Endpoint"
          {...field('endpointId')}
          choices={withChosen(choicesOf(urls), filters.endpointId)}
        />
        <SelectField label="Event" {...field('type')} choices={withChosen(types, filters.type)} />
        <SelectField label="State" {...field('state')} choices={withChosen(STATES, filters.state)} />
        <IdFilters ids={ID_FILTERS} field={field} />
      </search>
      <DeliveryList
        applicationId={applicationId}
        query={query}
        nameOf={(endpointId) => urls[endpointId] ?? endpointId}
        empty="No deliveries match these filters."
      />
    </section>
  );
}

export function Webhooks() {
  const { applicationId = '' } = useRoute().params;
  const { filters, field } = useAddressFilters(FILTERS);
  const query = queryOf(filters);
  const endpoints = useLoaded(applicationId, (signal) => listEndpoints(applicationId, signal));
  useRefresh(endpoints, REFRESH_MS);
  return (
    <Page
      title="Webhooks"
      about="URLs of your application (endpoints) that get events, and the deliveries of events to these endpoints."
      actions={
        <>
          <ExportLink href={addressOf(EXPORT, { path: { applicationId }, query })} />
          {mayChange() && <AddEndpoint applicationId={applicationId} onAdded={endpoints.reload} />}
        </>
      }
    >
      <Endpoints applicationId={applicationId} loaded={endpoints} />
      <Deliveries {...{ applicationId, filters, field, query }} urls={urlsOf(endpoints.value ?? [])} />
    </Page>
  );
}

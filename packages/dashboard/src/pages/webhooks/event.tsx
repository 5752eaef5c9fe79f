import { useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import { listEndpoints, urlsOf } from '../../api/webhooks.ts';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import '../../styles/webhooks.css';
import { hrefOf, PATHS } from '../../paths.ts';
import { titleOfEvent } from '../../words/webhooks.ts';
import { DeliveryList } from './delivery-list.tsx';
import { EventPanel } from './event-panel.tsx';

const GET = 'GET /operator/v1/applications/{applicationId}/events/{eventId}';

interface EventPath {
  readonly applicationId: string;
  readonly eventId: string;
}

async function loadEvent({ applicationId, eventId }: EventPath, signal: AbortSignal) {
  const [event, endpoints] = await Promise.all([
    call(GET, { path: { applicationId, eventId } }, { signal }),
    listEndpoints(applicationId, signal),
  ]);
  return { event, urls: urlsOf(endpoints) };
}

export function EventPage() {
  const { applicationId = '', eventId = '' } = useRoute().params;
  const path = { applicationId, eventId };
  const loaded = useLoaded(JSON.stringify(path), (signal) => loadEvent(path, signal));
  return (
    <Page
      title={loaded.value ? titleOfEvent(loaded.value.event.type) : 'Event'}
      about="One event, and its deliveries to your endpoints."
      trail={[{ title: 'Webhooks', href: hrefOf(PATHS.webhooks, { applicationId }) }]}
    >
      <Show of={loaded}>
        {({ event, urls }) => (
          <>
            <EventPanel applicationId={applicationId} event={event} />
            <section class="stack" aria-labelledby="deliveries">
              <h2 id="deliveries">Deliveries</h2>
              <DeliveryList
                applicationId={applicationId}
                query={{ eventId }}
                nameOf={(endpointId) => urls[endpointId] ?? endpointId}
                empty="No deliveries. When the event occurred, no endpoint was enabled for its type."
              />
            </section>
          </>
        )}
      </Show>
    </Page>
  );
}

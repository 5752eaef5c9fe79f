import { useRoute } from 'preact-iso';
import { Show, useCall } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { titleOfEvent } from '../../words/webhooks.ts';
import { DeliveryList } from './delivery-list.tsx';
import { EventPanel } from './event-panel.tsx';

export function EventPage() {
  const { applicationId = '', eventId = '' } = useRoute().params;
  const loaded = useCall('GET /operator/v1/applications/{applicationId}/events/{eventId}', {
    path: { applicationId, eventId },
  });
  return (
    <Page
      title={loaded.value ? titleOfEvent(loaded.value.type) : 'Event'}
      about="One event, and its deliveries to your endpoints."
      trail={[{ title: 'Webhooks', href: hrefOf(PATHS.webhooks, { applicationId }) }]}
    >
      <Show of={loaded}>
        {(event) => (
          <>
            <EventPanel applicationId={applicationId} event={event} />
            <section class="stack" aria-labelledby="deliveries">
              <h2 id="deliveries">Deliveries</h2>
              <DeliveryList
                applicationId={applicationId}
                query={{ eventId }}
                nameOf={(endpointId) => endpointId}
                empty="No deliveries. No endpoint was enabled for this type at the time of the event."
              />
            </section>
          </>
        )}
      </Show>
    </Page>
  );
}

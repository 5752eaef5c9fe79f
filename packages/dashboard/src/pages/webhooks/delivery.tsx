import { useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Form } from '../../parts/form.tsx';
import { LIVE_MS, Show, useLoaded, useRefresh } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Badge, StatePanel } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { ExactTime, Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import '../../styles/webhooks.css';
import { hrefOf, PATHS } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import {
  attemptWords,
  type Delivery,
  deliveryWords,
  type Endpoint,
  pausesOf,
  titleOfEvent,
  type WebhookEvent,
} from '../../words/webhooks.ts';
import { EventPanel } from './event-panel.tsx';

const BELOW = '/operator/v1/applications/{applicationId}';

interface DeliveryPath {
  readonly applicationId: string;
  readonly deliveryId: string;
}

interface Story {
  readonly delivery: Delivery;
  readonly event: WebhookEvent;
  readonly endpoint: Endpoint;
}

/** Loads a webhook delivery with its event and its endpoint. */
async function loadStory({ applicationId, deliveryId }: DeliveryPath, signal: AbortSignal): Promise<Story> {
  const path = { applicationId, deliveryId };
  const delivery = await call(`GET ${BELOW}/deliveries/{deliveryId}`, { path }, { signal });
  const { eventId, endpointId } = delivery;
  const [event, endpoint] = await Promise.all([
    call(`GET ${BELOW}/events/{eventId}`, { path: { applicationId, eventId } }, { signal }),
    call(`GET ${BELOW}/webhook-endpoints/{endpointId}`, { path: { applicationId, endpointId } }, { signal }),
  ]);
  return { delivery, event, endpoint };
}

export function DeliveryPage() {
  const { applicationId = '', deliveryId = '' } = useRoute().params;
  const path = { applicationId, deliveryId };
  const loaded = useLoaded(JSON.stringify(path), (signal) => loadStory(path, signal));
  useRefresh(loaded, loaded.value?.delivery.state === 'pending' ? LIVE_MS : undefined);
  return (
    <Page
      title={loaded.value ? titleOfEvent(loaded.value.delivery.type) : 'Delivery'}
      about="Delivery of one event to one endpoint."
      trail={[{ title: 'Webhooks', href: hrefOf(PATHS.webhooks, { applicationId }) }]}
    >
      <Show of={loaded}>
        {(story) => (
          <>
            <StatePanel words={deliveryWords(story.delivery, Date.now(), story.endpoint)}>
              {mayChange() && <Resend path={path} story={story} onResent={loaded.reload} />}
            </StatePanel>
            <Attempts delivery={story.delivery} />
            <Request {...story} applicationId={applicationId} />
            <EventPanel applicationId={applicationId} event={story.event} isLinked />
          </>
        )}
      </Show>
    </Page>
  );
}

interface ResendProps {
  readonly path: DeliveryPath;
  readonly story: Story;
  readonly onResent: () => void;
}

const isWaiting = ({ state, nextAttemptAt }: Delivery): boolean =>
  state === 'pending' && nextAttemptAt === undefined;

function Resend({ path, story: { delivery, endpoint }, onResent }: ResendProps) {
  if (isWaiting(delivery)) return null;
  if (!endpoint.enabled)
    return <p class="soft">The endpoint is disabled. Enable the endpoint, then resend the delivery.</p>;
  const resend = async () => {
    await call(`POST ${BELOW}/deliveries/{deliveryId}/resend`, { path });
    showToast('The service is sending the event again.');
    onResent();
  };
  return <Form submit="Resend" tone="secondary" onSubmit={resend} />;
}

interface NumberedAttempt {
  readonly index: number;
  readonly attempt: Delivery['attempts'][number];
  readonly pause: string;
}

const LONG = 40;

/** Shows the recorded beginning of an endpoint's response. A long text is collapsed. */
const Response = ({ text }: { readonly text: string }) =>
  text.length <= LONG ? (
    <code class="url">{text}</code>
  ) : (
    <details>
      <summary>
        <code class="url">{text.slice(0, LONG)}…</code>
      </summary>
      <code class="preformatted">{text}</code>
    </details>
  );

const COLUMNS: readonly Column<NumberedAttempt>[] = [
  { title: 'Sent at', cell: ({ attempt }) => <ExactTime at={attempt.at} /> },
  {
    title: 'Outcome',
    cell: ({ attempt }) => <Badge tone={attemptWords(attempt).tone}>{attemptWords(attempt).title}</Badge>,
  },
  { title: 'Duration', cell: ({ attempt }) => duration(attempt.durationMs), isNumber: true },
  {
    title: 'Response',
    cell: ({ attempt: { response } }) => response !== undefined && <Response text={response} />,
  },
  { title: 'Next attempt after', cell: ({ pause }) => pause, isNumber: true },
];

function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const pauses = pausesOf(delivery);
  const rows = delivery.attempts.map((attempt, index) => ({ index, attempt, pause: pauses[index] ?? '' }));
  return (
    <section class="stack" aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      {rows.length === 0 ? (
        <p class="soft">The service has not sent the event yet.</p>
      ) : (
        <Table
          caption="Attempts, oldest first"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ index }) => String(index)}
        />
      )}
    </section>
  );
}

const Request = ({ delivery, endpoint, applicationId }: Story & { readonly applicationId: string }) => (
  <section class="panel" aria-labelledby="request">
    <h2 id="request">Request</h2>
    <dl class="facts">
      <Fact title="Endpoint">
        <a class="url" href={hrefOf(PATHS.webhookEndpoint, { applicationId, endpointId: endpoint.id })}>
          {endpoint.url}
        </a>
      </Fact>
      <Fact title="Header webhook-id">
        <code>{delivery.eventId}</code>
      </Fact>
      <Fact title="Attempts since the last resend">{delivery.attemptCount}</Fact>
      <Fact title="Created">
        <Time at={delivery.createdAt} />
        {delivery.endedAt !== undefined && (
          <>
            , ended <Time at={delivery.endedAt} />
          </>
        )}
      </Fact>
      <Fact title="Delivery ID">
        <Copied text={delivery.id} what="the delivery ID" />
      </Fact>
    </dl>
  </section>
);

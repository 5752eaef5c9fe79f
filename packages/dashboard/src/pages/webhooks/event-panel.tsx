import { Code, Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { titleOfEvent, type WebhookEvent } from '../../words/webhooks.ts';

interface EventPanelProps {
  readonly applicationId: string;
  readonly event: WebhookEvent;
  /** True if the panel links to the event's own page. */
  readonly isLinked?: boolean;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Shows an event and its payload. The payload contains no credentials. */
export function EventPanel({ applicationId, event, isLinked = false }: EventPanelProps) {
  const { id, type, timestamp, data } = event;
  const accountId = textOf(data['accountId']);
  return (
    <section class="panel" aria-labelledby="event">
      <h2 id="event">Event</h2>
      <dl class="facts">
        <Fact title="Type">
          {titleOfEvent(type)}: <code>{type}</code>
        </Fact>
        <Fact title="Created">
          <Time at={timestamp} />
        </Fact>
        {accountId !== undefined && (
          <Fact title="Account">
            <a href={hrefOf(PATHS.account, { applicationId, accountId })}>
              {textOf(data['identifier']) ?? accountId}
            </a>
          </Fact>
        )}
        <Fact title="Event ID">
          <Copied text={id} what="the event ID" />
        </Fact>
      </dl>
      <h3>Payload</h3>
      <Code text={JSON.stringify({ type, timestamp, data }, undefined, 2)} what="Payload" />
      {isLinked && (
        <p>
          <a href={hrefOf(PATHS.event, { applicationId, eventId: id })}>All deliveries of this event</a>
        </p>
      )}
    </section>
  );
}

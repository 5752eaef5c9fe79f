import { randomBytes } from 'node:crypto';
import { createBodyMemory } from '../concurrency/body-memory.js';
import { startLoop } from '../concurrency/loop.js';
import { withTimeout } from '../concurrency/with-timeout.js';
import { findConnection } from '../connections/find-account.js';
import { createCheckTypes } from '../events/check-types.js';
import { createClaimDeliveries } from '../events/claim-deliveries.js';
import { createDeliverDue } from '../events/deliver-due.js';
import { createDeliveries } from '../events/deliveries.js';
import { createDisableEndpoint } from '../events/disable-endpoint.js';
import { createCheckAddress } from '../events/endpoint-address.js';
import { createEventList } from '../events/event-list.js';
import { createOpenBody } from '../events/event-payload.js';
import { createFanOut, type FanOut } from '../events/fan-out.js';
import { createFinishDeliveries, type OnDelivery } from '../events/finish-deliveries.js';
import { createPauseEndpoint } from '../events/pause-endpoint.js';
import { createSendDelivery } from '../events/send-delivery.js';
import { createWaitForEvents } from '../events/wait-for-events.js';
import { createWebhookEndpoints } from '../events/webhook-endpoints.js';
import { createWithBody, type WithBody } from '../events/with-body.js';
import { createCheckHost } from '../http/check-host.js';
import { createSend } from '../http/send-http.js';
import type { Log } from '../log/log.js';
import { listEventTypes } from '../names/event-types.js';
import type { Parts } from './parts.js';

/** Maximum time in milliseconds that a stopping process waits for responses from webhook endpoints. */
const PATIENCE_MS = 2000;
/**
 * Maximum size in bytes of all upstream payloads in memory while they are delivered to webhook endpoints or listed. A
 * single application may use half of it.
 */
const PAYLOADS_BYTES = 64 * 1024 * 1024;
const NO_PAYLOAD_MEMORY =
  'This application has used its share of the memory for payloads of events. Retry in a few seconds, with fewer requests at once.';

const UNREADABLE =
  'the payload of an event cannot be decrypted, so receivers get the event without it; restore its data key from a backup';

const UNSIGNED =
  'a webhook endpoint is paused, because its signing secret cannot be decrypted; restore its data key from a backup and enable the endpoint, or rotate the secret';

export interface EventsOptions {
  readonly log: Log;
  /** Called with the outcome of each attempt to deliver an event to a webhook endpoint. */
  readonly onDelivery?: OnDelivery | undefined;
}

interface DeliveriesLoop extends EventsOptions {
  readonly fanOut: FanOut;
}

/** Starts the background loop that delivers events to webhook endpoints. */
function startDeliveries(parts: Parts, withBody: WithBody, { fanOut, log, onDelivery }: DeliveriesLoop) {
  const { agent, core, callers, now, serviceEvents, storage } = parts;
  const { commit, vault } = core;
  const random = randomBytes;
  const stopping = new AbortController();
  const onError = (error: unknown) =>
    log.fault('events could not be delivered, because the database failed; the service retries', error);
  const { deliverDue, settled } = createDeliverDue({
    storage,
    claimDeliveries: createClaimDeliveries({ storage, now, random }),
    sendDelivery: createSendDelivery({
      withBody,
      send: createSend(agent),
      vault,
      callers,
      now,
      signal: stopping.signal,
    }),
    finishDelivery: createFinishDeliveries({
      storage,
      disableEndpoint: createDisableEndpoint({ commit, now }),
      pauseEndpoint: createPauseEndpoint({
        commit,
        now,
        onPause: (applicationId) => log.warn(UNSIGNED, { applicationId }),
      }),
      now,
      jitter: Math.random,
      onDelivery,
    }),
    now,
    onFree: () => loop.wake(),
    onError,
  });
  const loop = startLoop({
    prepare: async () => {
      if (await fanOut()) loop.wake();
    },
    work: deliverDue,
    onError,
  });
  serviceEvents.listen(loop.wake);
  return {
    close: async (): Promise<void> => {
      await loop.close();
      await withTimeout(PATIENCE_MS, settled(), () => undefined);
      stopping.abort();
      await settled();
    },
  };
}

/**
 * Creates the components for events: the event list, the webhook endpoints of applications, and the deliveries to these
 * endpoints.
 */
export function createEvents(parts: Parts, options: EventsOptions) {
  const { core, catalog, isAllowedOrigin, now, serviceEvents, storage } = parts;
  const { commit, vault } = core;
  const eventTypes = listEventTypes(catalog.connectors.values());
  const checkTypes = createCheckTypes(eventTypes);
  const memory = createBodyMemory(PAYLOADS_BYTES, NO_PAYLOAD_MEMORY);
  const openBody = createOpenBody({
    vault,
    onUnreadable: (applicationId, error) => options.log.fault(UNREADABLE, error, { applicationId }),
  });
  const fanOut = createFanOut({ storage, now, random: randomBytes });
  const eventList = createEventList({ storage, openBody, memory, checkTypes, now });
  return {
    eventList,
    waitForEvents: createWaitForEvents({ eventList, storage, eventTypes, checkTypes, now }),
    webhookEndpoints: createWebhookEndpoints({
      storage,
      findConnection: (applicationId, name) => findConnection(storage, applicationId, name),
      commit,
      vault,
      checkTypes,
      checkAddress: createCheckAddress({ isAllowedOrigin, checkHost: createCheckHost() }),
      serviceEvents,
      now,
      random: randomBytes,
    }),
    deliveries: createDeliveries({
      storage,
      checkTypes,
      commit,
      serviceEvents,
      now,
      random: randomBytes,
    }),
    /** Starts the background loop that delivers events to webhook endpoints. */
    start: () =>
      startDeliveries(parts, createWithBody({ storage, openBody, memory }), { ...options, fanOut }),
  };
}

export type Events = ReturnType<typeof createEvents>;

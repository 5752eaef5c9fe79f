import { randomBytes } from 'node:crypto';
import { createDeliveries } from '../events/deliveries.js';
import { createCheckAddress } from '../events/endpoint-address.js';
import { createEventList } from '../events/event-list.js';
import { startEventLoop } from '../events/event-loop.js';
import { createFanOut } from '../events/fan-out.js';
import { createWebhookEndpoints } from '../events/webhook-endpoints.js';
import { createCheckHost } from '../http/check-host.js';
import type { Log } from '../log/log.js';
import type { Parts } from './parts.js';

/** Creates the components for events: their list, the webhook endpoints, and the deliveries. */
export function createEvents(
  { authorization, isAllowedOrigin, now, serviceEvents, storage }: Parts,
  { log }: { readonly log: Log },
) {
  const { commit, vault } = authorization;
  const random = randomBytes;
  const webhookEndpoints = createWebhookEndpoints({
    storage,
    commit,
    vault,
    checkAddress: createCheckAddress({ isAllowedOrigin, checkHost: createCheckHost() }),
    serviceEvents,
    now,
    random,
  });
  return {
    eventList: createEventList({ storage }),
    webhookEndpoints,
    deliveries: createDeliveries({ storage, commit, serviceEvents, now }),
    /** Starts the background work of this instance. */
    start: () => {
      const loop = startEventLoop({
        fanOut: createFanOut({ storage, now, random }),
        deliver: async () => undefined,
        onError: (error) =>
          log.fault('events could not be delivered, because the database failed; the service retries', error),
      });
      serviceEvents.listen(loop.wake);
      return loop;
    },
  };
}

export type Events = ReturnType<typeof createEvents>;

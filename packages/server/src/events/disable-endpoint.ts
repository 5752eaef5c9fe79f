import type { Commit } from '../records/commit.js';
import type { WebhookEndpointKey } from '../storage/webhook-endpoints-table.js';
import type { ServiceEvents } from './service-events.js';

export interface DisableEndpointParts {
  readonly commit: Commit;
  readonly serviceEvents: Pick<ServiceEvents, 'dropWanted'>;
  readonly now: () => number;
}

/** Creates the function that disables an endpoint which no longer works. Other endpoints get an event about it. */
export function createDisableEndpoint({ commit, serviceEvents, now }: DisableEndpointParts) {
  return async function disableEndpoint(
    { applicationId, id }: WebhookEndpointKey,
    reason: 'gone' | 'failing',
  ): Promise<void> {
    await commit(async ({ webhookEndpoints }, recordEvent) => {
      const change = { disabledReason: reason, updatedAt: now() };
      if (!(await webhookEndpoints.disable({ applicationId, id }, change))) return;
      recordEvent({ action: 'webhook_endpoint.disabled', applicationId, object: id, reason });
    });
    serviceEvents.dropWanted(applicationId);
  };
}

export type DisableEndpoint = ReturnType<typeof createDisableEndpoint>;

import type { Commit } from '../records/commit.js';
import type { WebhookEndpointKey } from '../storage/webhook-endpoints-table.js';

export interface DisableEndpointParts {
  readonly commit: Commit;
  readonly now: () => number;
}

/**
 * Creates the function that disables an endpoint which no longer works. The application's other endpoints get an event
 * about it.
 */
export function createDisableEndpoint({ commit, now }: DisableEndpointParts) {
  /**
   * Disables an endpoint. With `failingUntil`, does nothing unless all attempts since that time have failed, because
   * another instance may have had a success.
   */
  return async function disableEndpoint(
    { applicationId, id }: WebhookEndpointKey,
    reason: 'gone' | 'failing',
    failingUntil?: number,
  ): Promise<void> {
    await commit(async ({ webhookEndpoints }, audit) => {
      const change = {
        disabledReason: reason,
        updatedAt: now(),
        ...(failingUntil !== undefined && { failingUntil }),
      };
      if (!(await webhookEndpoints.disable({ applicationId, id }, change))) return;
      audit({ action: 'webhook_endpoint.disabled', applicationId, object: id, reason });
    });
  };
}

export type DisableEndpoint = ReturnType<typeof createDisableEndpoint>;

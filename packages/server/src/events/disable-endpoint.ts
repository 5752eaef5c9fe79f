import type { Commit } from '../records/commit.js';
import type { WebhookEndpointKey } from '../storage/webhook-endpoints-table.js';

export interface DisableEndpointParts {
  readonly commit: Commit;
  readonly now: () => number;
}

/**
 * Creates the function that disables a webhook endpoint that no longer works. The application's other endpoints get an
 * event that reports it.
 */
export function createDisableEndpoint({ commit, now }: DisableEndpointParts) {
  /**
   * Disables an endpoint. With `failingUntil` (milliseconds since 1970), does nothing unless all attempts since then
   * have failed, because another instance may have delivered successfully.
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

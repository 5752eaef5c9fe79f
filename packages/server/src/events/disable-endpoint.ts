import type { Commit } from '../records/commit.js';
import type { EnabledEndpoint } from '../storage/webhook-endpoints-table.js';

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
   * Disables an endpoint, unless its URL was changed or it was enabled again after the attempt began. With
   * `failingUntil` (milliseconds since 1970), does nothing unless all attempts since then have failed, because another
   * instance may have delivered successfully.
   */
  return async function disableEndpoint(
    endpoint: EnabledEndpoint,
    reason: 'gone' | 'failing',
    failingUntil?: number,
  ): Promise<void> {
    await commit(async ({ webhookEndpoints }, audit) => {
      const change = {
        disabledReason: reason,
        updatedAt: now(),
        ...(failingUntil !== undefined && { failingUntil }),
      };
      if (!(await webhookEndpoints.disable(endpoint, change))) return;
      const { applicationId, id: object } = endpoint;
      audit({ action: 'webhook_endpoint.disabled', applicationId, object, reason });
    });
  };
}

export type DisableEndpoint = ReturnType<typeof createDisableEndpoint>;

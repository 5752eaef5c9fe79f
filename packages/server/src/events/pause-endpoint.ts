import type { Commit } from '../records/commit.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';

export interface PauseEndpointParts {
  readonly commit: Commit;
  readonly now: () => number;
  /** Called once for each paused endpoint, with its application's id, to write a line to the log. */
  readonly onPause: (applicationId: string) => void;
}

/**
 * Creates the function that pauses a webhook endpoint whose signing secret cannot be decrypted. It causes no event,
 * because the receiver is not at fault and the endpoint stays enabled.
 */
export function createPauseEndpoint({ commit, now, onPause }: PauseEndpointParts) {
  return async function pauseEndpoint(endpoint: WebhookEndpointRow): Promise<void> {
    const { applicationId, id: object } = endpoint;
    const isPaused = await commit(async ({ webhookEndpoints }, audit) => {
      if (!(await webhookEndpoints.pause(endpoint, now()))) return false;
      audit({
        action: 'webhook_endpoint.paused',
        applicationId,
        object,
        reason: 'secret_unreadable',
      });
      return true;
    });
    if (isPaused) onPause(applicationId);
  };
}

export type PauseEndpoint = ReturnType<typeof createPauseEndpoint>;

import { type EndpointReasons, reasonsOf } from '../names/endpoint-reasons.js';
import type { Storage } from '../storage/storage.js';
import type { TroubledEndpoint } from '../storage/webhook-endpoints-table.js';
import { isoTime } from '../text/iso-time.js';

/** Webhook endpoint that the service has disabled or paused, or to which all delivery attempts fail. */
export interface EndpointProblem extends EndpointReasons {
  readonly applicationId: string;
  readonly id: string;
  readonly url: string;
  readonly failingSince?: string;
}

/**
 * Time in milliseconds for which deliveries to an endpoint must have failed before it is listed, because a receiver
 * that only restarts is not a problem.
 */
const PATIENCE_MS = 60_000;
const MAX_ENDPOINTS = 100;

const toProblem = (row: TroubledEndpoint): EndpointProblem => {
  const { applicationId, id, url, failingSince } = row;
  return {
    applicationId,
    id,
    url,
    ...reasonsOf(row.disabledReason),
    ...(failingSince !== null && { failingSince: isoTime(failingSince) }),
  };
};

/**
 * Lists at most 100 webhook endpoints with problems, of one application or of all. Disabled and paused endpoints come
 * first.
 */
export async function listTroubledEndpoints(
  { webhookEndpoints }: Pick<Storage, 'webhookEndpoints'>,
  applicationId: string | undefined,
  now: number,
): Promise<readonly EndpointProblem[]> {
  const failingUntil = now - PATIENCE_MS;
  const rows = await webhookEndpoints.troubled({ applicationId, failingUntil, limit: MAX_ENDPOINTS });
  const urgency = ({ disabledReason, pausedReason }: EndpointProblem) =>
    disabledReason === undefined && pausedReason === undefined ? 1 : 0;
  return rows.map(toProblem).toSorted((one, other) => urgency(one) - urgency(other));
}

import { checkIfMatch } from '../records/check-if-match.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import type { Tables } from '../storage/storage.js';
import type { WebhookEndpointKey } from '../storage/webhook-endpoints-table.js';
import { etagOfEndpoint } from './webhook-endpoint.js';

/**
 * Locks a webhook endpoint until the transaction ends, and returns it. Returns `undefined` if it does not exist. Throws
 * `conflict` if `ifMatch` is not the ETag of the endpoint.
 */
export async function lockEndpoint(
  tables: Tables,
  { applicationId, id }: WebhookEndpointKey,
  ifMatch: string | undefined,
): Promise<WebhookEndpointRow | undefined> {
  await tables.webhookEndpoints.lock([{ applicationId, id }]);
  const row = await tables.webhookEndpoints.find(applicationId, id);
  if (ifMatch === undefined) return row;
  await checkIfMatch(tables, {
    ifMatch,
    etag: row && etagOfEndpoint(row),
    applicationId,
    object: id,
    action: 'webhook_endpoint.changed',
    called: `The webhook endpoint "${id}"`,
  });
  return row;
}

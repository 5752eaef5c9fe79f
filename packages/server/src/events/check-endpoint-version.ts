import { checkIfMatch } from '../records/check-if-match.js';
import type { Tables } from '../storage/storage.js';
import type { WebhookEndpointKey } from '../storage/webhook-endpoints-table.js';
import { etagOfEndpoint } from './webhook-endpoint.js';

/**
 * Throws `conflict` if `ifMatch` is not the ETag of the stored endpoint. Locks the endpoint's row until the transaction
 * ends.
 */
export async function checkEndpointVersion(
  tables: Tables,
  { applicationId, id }: WebhookEndpointKey,
  ifMatch: string | undefined,
): Promise<void> {
  if (ifMatch === undefined) return;
  await tables.webhookEndpoints.lock([{ applicationId, id }]);
  const row = await tables.webhookEndpoints.find(applicationId, id);
  await checkIfMatch(tables, {
    ifMatch,
    etag: row && etagOfEndpoint(row),
    applicationId,
    object: id,
    action: 'webhook_endpoint.changed',
    called: `The webhook endpoint "${id}"`,
  });
}

import type { AnyEventType } from '../names/event-types.js';
import type { Tables } from '../storage/storage.js';
import { readTypes } from './read-types.js';

/**
 * Returns true if the service writes an event of this type for an endpoint or reader. For a disabled endpoint
 * (`enabled` 0), it writes all types except failed executions, the only frequent type.
 */
const isWritten = (type: AnyEventType, enabled: number) => type !== 'execution.failed' || enabled === 1;

/**
 * Reads which event types applications want, for their webhook endpoints and for readers whose leases have not expired
 * at `now`. Call it in the transaction of the reported change, so that it does not miss an endpoint that another
 * instance has just created.
 */
export async function readWanted(
  { webhookEndpoints }: Pick<Tables, 'webhookEndpoints'>,
  applicationIds: readonly string[],
  now: number,
): Promise<(applicationId: string, type: AnyEventType) => boolean> {
  if (applicationIds.length === 0) return () => false;
  const wishes = await webhookEndpoints.wishes([...new Set(applicationIds)], now);
  const wanted = new Set(
    wishes.flatMap(({ owner, types, enabled }) =>
      readTypes(types)
        .filter((type) => isWritten(type, enabled))
        .map((type) => `${owner} ${type}`),
    ),
  );
  return (applicationId, type) => wanted.has(`${applicationId} ${type}`);
}

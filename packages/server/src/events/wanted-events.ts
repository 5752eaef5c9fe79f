import type { AnyEventType } from '../names/event-types.js';
import type { Tables } from '../storage/storage.js';
import { readTypes } from './read-types.js';

/**
 * Events of this type, about failed executions, are the only frequent ones. They are written only while an enabled
 * endpoint or a reader wants them; others also for disabled endpoints.
 */
const isWritten = (type: AnyEventType, enabled: number) => type !== 'execution.failed' || enabled === 1;

/**
 * Reads which event types applications want: by webhook endpoints, and by readers whose leases have not expired at
 * `now`. Call it in the transaction of the reported change, so that an endpoint which another instance has just created
 * is not missed.
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

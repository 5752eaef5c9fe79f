import type { AnyEventType } from '../names/event-types.js';
import type { Tables } from '../storage/storage.js';
import { readTypes } from './read-types.js';

/**
 * Failed executions are the only frequent events. They are written only while an enabled endpoint or a reader wants
 * them.
 */
const isWritten = (type: AnyEventType, enabled: number) => type !== 'execution.failed' || enabled === 1;

/**
 * Reads which event types the endpoints and the waiting readers of applications want. Reads in the transaction of the
 * changes, so that no event is missing after another instance has created an endpoint. `now` ends leases of readers.
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

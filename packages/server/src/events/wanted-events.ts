import type { AnyEventType } from '../names/event-types.js';
import type { Tables } from '../storage/storage.js';
import { createTtlCache } from '../storage/ttl-cache.js';
import { readTypes } from './read-types.js';

interface Wanted {
  readonly applicationId: string;
  readonly types: ReadonlySet<AnyEventType>;
}

/** Time in milliseconds after which this process sees endpoints that another instance created. */
const SEEN_AFTER_MS = 1000;

/**
 * Failed executions are the only frequent events. They are written only while an enabled endpoint or a reader wants
 * them.
 */
const isWritten = (type: AnyEventType, enabled: number) => type !== 'execution.failed' || enabled === 1;

/** Creates the cache of the event types that the endpoints and the waiting readers of each application want. */
export function createWantedEvents({ now }: { readonly now: () => number }) {
  const cache = createTtlCache<Wanted>({
    now,
    ttlMs: SEEN_AFTER_MS,
    lengthOf: ({ types }) => [...types].join().length,
  });

  async function read(tables: Pick<Tables, 'webhookEndpoints'>, applicationId: string): Promise<Wanted> {
    const wishes = await tables.webhookEndpoints.wishes(applicationId, now());
    const types = wishes.flatMap(({ types: listed, enabled }) =>
      readTypes(listed).filter((type) => isWritten(type, enabled)),
    );
    return { applicationId, types: new Set(types) };
  }

  return {
    /** Returns whether an event of this type must be written. Reads in the transaction of the change. */
    isWanted: async (
      tables: Pick<Tables, 'webhookEndpoints'>,
      applicationId: string,
      type: AnyEventType,
    ): Promise<boolean> => {
      const wanted =
        cache.get(applicationId) ??
        (await cache.fill(
          () => read(tables, applicationId),
          () => applicationId,
        ));
      return wanted.types.has(type);
    },
    /** Call it after every change of an endpoint or a lease in this process. */
    drop: cache.drop,
  };
}

export type WantedEvents = ReturnType<typeof createWantedEvents>;

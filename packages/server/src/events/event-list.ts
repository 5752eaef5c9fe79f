import { parseJson } from '@svc/catalog';
import { ServiceError, wrongField } from '../errors.js';
import { EVENT_TYPES, type EventType } from '../names/event-types.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage } from '../page.js';
import type { StoredEvent } from '../storage/events-table.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';

/** Event in the form of the API. `data` has the form that its type defines. */
export interface ListedEvent {
  readonly id: string;
  readonly type: EventType;
  readonly timestamp: string;
  readonly data: unknown;
}

export interface EventFilter extends PageRequest {
  /** Id of an event: only later events are listed. */
  readonly after?: string | undefined;
  /** Types of the listed events, separated by commas. */
  readonly types?: string | undefined;
  readonly connectionName?: string | undefined;
}

const eventNotFound = (id: string) =>
  new ServiceError(
    'not_found',
    `There is no event "${id}". Check the id; the service may have deleted it after its retention time.`,
  );

const cursorNotFound = (id: string) =>
  new ServiceError(
    'invalid_request',
    `The event "${id}" does not exist or was deleted after its retention time. Omit "after" to begin with the oldest event.`,
  );

function readFilter(types: string | undefined): readonly EventType[] | undefined {
  if (types === undefined) return undefined;
  return types.split(',').map((name) => {
    const type = EVENT_TYPES.find((known) => known === name);
    if (type !== undefined) return type;
    throw wrongField(
      'types',
      `types contains a name that is no type of event. Use some of ${EVENT_TYPES.join(', ')}.`,
    );
  });
}

function toListed({ id, type, at, body }: StoredEvent): ListedEvent {
  const { data } = parseJson(body) as { readonly data: unknown };
  return { id, type, timestamp: isoTime(at), data };
}

/** Creates the list of an application's events, which lets it read what its endpoints missed. */
export function createEventList({ storage }: { readonly storage: Pick<Storage, 'events'> }) {
  async function positionAfter(applicationId: string, id: string | undefined): Promise<number> {
    if (id === undefined) return 0;
    const event = await storage.events.find(applicationId, id);
    if (event?.position != null) return event.position;
    throw cursorNotFound(id);
  }

  return {
    /** Lists events, oldest first. Later pages never contain an event that was missing in an earlier page. */
    list: async (
      applicationId: string,
      { after, types, connectionName, ...page }: EventFilter,
    ): Promise<Page<ListedEvent>> => {
      const [cursor = after] = readPageToken(page, 1) ?? [];
      const { rows, searchedTo } = await storage.events.list(applicationId, {
        types: readFilter(types),
        connectionName,
        after: await positionAfter(applicationId, cursor),
        limit: pageSizeOf(page) + 1,
      });
      return toPage(rows, page, {
        keys: ({ id }) => [id],
        item: toListed,
        more: searchedTo === undefined ? undefined : [searchedTo],
      });
    },

    get: async (applicationId: string, id: string): Promise<ListedEvent> => {
      const event = await storage.events.find(applicationId, id);
      if (event) return toListed(event);
      throw eventNotFound(id);
    },
  };
}

export type EventList = ReturnType<typeof createEventList>;

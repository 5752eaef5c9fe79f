import { parseJson } from '@svc/catalog';
import { ServiceError, wrongField } from '../errors.js';
import { EVENT_TYPES, type EventType } from '../names/event-types.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage, toPageToken } from '../page.js';
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
  /** Id of an event: only later events are listed. `latest`: only events after this request. */
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

/** Event after which a list continues. Its id is empty at the beginning of all events. */
export interface EventCursor {
  readonly id: string;
  readonly position: number;
}

const BEGINNING: EventCursor = { id: '', position: 0 };

export function readFilter(types: string | undefined): readonly EventType[] | undefined {
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
export function createEventList({
  storage,
  now,
}: {
  readonly storage: Pick<Storage, 'events'>;
  readonly now: () => number;
}) {
  // The time makes each token unique, because clients refuse a list whose tokens are repeated.
  const keysOf = (id: string) => [id, String(now())];

  /** Returns the newest event; the beginning if there is none. */
  async function latest(applicationId: string): Promise<EventCursor> {
    const event = await storage.events.latest(applicationId);
    return event?.position == null ? BEGINNING : { id: event.id, position: event.position };
  }

  /** Returns the event after which the requested page begins. */
  async function cursorOf(applicationId: string, { after = '', ...page }: EventFilter): Promise<EventCursor> {
    const [id = after] = readPageToken(page, 2) ?? [];
    if (id === '') return BEGINNING;
    if (id === 'latest') return latest(applicationId);
    const event = await storage.events.find(applicationId, id);
    if (event?.position != null) return { id, position: event.position };
    throw cursorNotFound(id);
  }

  async function listAfter(
    applicationId: string,
    { position }: EventCursor,
    { types, connectionName, ...page }: EventFilter,
  ): Promise<Page<ListedEvent>> {
    const { rows, searchedTo } = await storage.events.list(applicationId, {
      types: readFilter(types),
      connectionName,
      after: position,
      limit: pageSizeOf(page) + 1,
    });
    return toPage(rows, page, {
      keys: ({ id }) => keysOf(id),
      item: toListed,
      more: searchedTo === undefined ? undefined : keysOf(searchedTo),
    });
  }

  return {
    latest,
    cursorOf,
    listAfter,
    /** Returns the token of the page that begins after an event. */
    tokenAfter: (id: string): string => toPageToken(keysOf(id)),

    /** Lists events, oldest first. Later pages never contain an event that was missing in an earlier page. */
    list: async (applicationId: string, filter: EventFilter): Promise<Page<ListedEvent>> =>
      listAfter(applicationId, await cursorOf(applicationId, filter), filter),

    get: async (applicationId: string, id: string): Promise<ListedEvent> => {
      const event = await storage.events.find(applicationId, id);
      if (event) return toListed(event);
      throw eventNotFound(id);
    },
  };
}

export type EventList = ReturnType<typeof createEventList>;

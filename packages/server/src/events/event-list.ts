import { parseJson } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { type AnyEventType, mayHavePayload } from '../names/event-types.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage, toPageToken } from '../page.js';
import type { EventWithoutPayload } from '../storage/events-table.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import type { Vault } from '../vault/vault.js';
import type { CheckTypes } from './check-types.js';
import { openBody } from './event-payload.js';

/** Event in the form of the API. `data` has the form that its type defines. */
export interface ListedEvent {
  readonly id: string;
  readonly type: AnyEventType;
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

function toListed({ id, type, at }: EventWithoutPayload, body: string): ListedEvent {
  const { data } = parseJson(body) as { readonly data: unknown };
  return { id, type, timestamp: isoTime(at), data };
}

export interface EventListParts {
  readonly storage: Pick<Storage, 'events'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly checkTypes: CheckTypes;
  readonly now: () => number;
}

/** Length of the bodies of a page after which the page ends. Payloads of upstreams can be large. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Number of events whose payloads are read at once. */
const READ_AT_ONCE = 16;

/** Creates the list of an application's events, which lets it read what its endpoints missed. */
export function createEventList({ storage, vault, checkTypes, now }: EventListParts) {
  // The time makes each token unique, because clients refuse a list whose tokens are repeated.
  const keysOf = (id: string) => [id, String(now())];

  /** Returns the bodies of some events. Reads the payloads of upstreams, which the list of rows does not have. */
  async function readBodies(
    applicationId: string,
    rows: readonly EventWithoutPayload[],
  ): Promise<readonly string[]> {
    const ids = rows.filter(({ type }) => mayHavePayload(type)).map(({ id }) => id);
    const stored = ids.length === 0 ? [] : await storage.events.listPayloads(applicationId, ids);
    const payloads = new Map(stored.map(({ id, payload }) => [id, payload]));
    return Promise.all(rows.map((row) => openBody(vault, { ...row, payload: payloads.get(row.id) ?? null })));
  }

  /** Builds the first events, until their bodies are too large for one page. */
  async function openSome(
    applicationId: string,
    rows: readonly EventWithoutPayload[],
  ): Promise<readonly ListedEvent[]> {
    const opened: ListedEvent[] = [];
    let length = 0;
    while (opened.length < rows.length && length < MOST_CHARACTERS) {
      const some = rows.slice(opened.length, opened.length + READ_AT_ONCE);
      const bodies = await readBodies(applicationId, some);
      for (const [index, row] of some.entries()) opened.push(toListed(row, bodies[index] ?? row.body));
      length += bodies.reduce((sum, body) => sum + body.length, 0);
    }
    return opened;
  }

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
    const size = pageSizeOf(page);
    const { rows, searchedTo } = await storage.events.list(applicationId, {
      types: types === undefined ? undefined : checkTypes(types.split(','), 'types'),
      connectionName,
      after: position,
      limit: size + 1,
    });
    const keys = ({ id }: { readonly id: string }) => keysOf(id);
    const opened = await openSome(applicationId, rows.slice(0, size));
    const last = opened.at(-1);
    if (last !== undefined && opened.length < Math.min(rows.length, size))
      return toPage(opened, page, { keys, item: (event) => event, more: keys(last) });
    const byId = new Map(opened.map((event) => [event.id, event]));
    return toPage(rows, page, {
      keys,
      item: (row) => byId.get(row.id) ?? toListed(row, row.body),
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
      if (event) return toListed(event, await openBody(vault, event));
      throw eventNotFound(id);
    },
  };
}

export type EventList = ReturnType<typeof createEventList>;

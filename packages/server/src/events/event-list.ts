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

/** Event as the API returns it. The type of the event defines the form of `data`. */
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

/** Pagination cursor: the last event before the next page. The id is empty for the beginning of the list. */
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

/**
 * Number of characters of the events' JSON texts after which a page ends, because payloads of upstreams can be large.
 */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Number of events whose payloads are read and decrypted at once. */
const READ_AT_ONCE = 16;

/**
 * Creates the list of an application's events. An application can read events in it that its webhook endpoints missed.
 */
export function createEventList({ storage, vault, checkTypes, now }: EventListParts) {
  // The current time makes each page token unique, because clients stop paging if a list returns the same token again.
  const keysOf = (id: string) => [id, String(now())];

  /** Returns the JSON texts of some events. Also reads the payloads of upstreams, which the rows do not contain. */
  async function readBodies(
    applicationId: string,
    rows: readonly EventWithoutPayload[],
  ): Promise<readonly string[]> {
    const ids = rows.filter(({ type }) => mayHavePayload(type)).map(({ id }) => id);
    const stored = ids.length === 0 ? [] : await storage.events.listPayloads(applicationId, ids);
    const payloads = new Map(stored.map(({ id, payload }) => [id, payload]));
    return Promise.all(rows.map((row) => openBody(vault, { ...row, payload: payloads.get(row.id) ?? null })));
  }

  /** Builds events until there is none left, or until their texts have `MOST_CHARACTERS`. */
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

  /** Returns the cursor after the newest event, or `BEGINNING` if there is no event. */
  async function latest(applicationId: string): Promise<EventCursor> {
    const event = await storage.events.latest(applicationId);
    return event?.position == null ? BEGINNING : { id: event.id, position: event.position };
  }

  /** Returns the cursor after which the requested page begins. */
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
    /** Returns the page token of the page that begins after an event. */
    tokenAfter: (id: string): string => toPageToken(keysOf(id)),

    /**
     * Lists events, oldest first. An event that is added later never appears before the end of a page that was already
     * read.
     */
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

import { parseJson } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { type AnyEventType, mayHavePayload } from '../names/event-types.js';
import {
  type Page,
  type PageRequest,
  pageSizeOf,
  readNumberKey,
  readPageToken,
  toPageToken,
} from '../page.js';
import type { EventPosition, EventWithoutPayload, StoredEvent } from '../storage/events-table.js';
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
export type EventCursor = Pick<EventPosition, 'id' | 'position'>;

const BEGINNING: EventCursor = { id: '', position: 0 };

/** Part of the event list. */
export interface EventSlice {
  readonly page: Page<ListedEvent>;
  /** Cursor after the last event of the page; `undefined` if the page is empty. */
  readonly last: EventCursor | undefined;
}

function toListed({ id, type, at }: Pick<StoredEvent, 'id' | 'type' | 'at'>, body: string): ListedEvent {
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
  /**
   * Returns the page token of the page after a cursor. The token contains the position, because the event may be
   * deleted before the next request. The current time makes each token unique, because clients stop paging if a list
   * returns the same token again.
   */
  const tokenAfter = ({ id, position }: EventCursor): string =>
    toPageToken([String(position), id, String(now())]);

  /** Returns some events with their JSON texts. Also reads the payloads of upstreams, which the rows do not contain. */
  async function readBodies(
    applicationId: string,
    rows: readonly EventWithoutPayload[],
  ): Promise<readonly { readonly row: EventWithoutPayload; readonly body: string }[]> {
    const ids = rows.filter(({ type }) => mayHavePayload(type)).map(({ id }) => id);
    const stored = ids.length === 0 ? [] : await storage.events.listPayloads(applicationId, ids);
    const payloads = new Map(stored.map(({ id, payload }) => [id, payload]));
    return Promise.all(
      rows.map(async (row) => ({
        row,
        body: await openBody(vault, { ...row, payload: payloads.get(row.id) ?? null }),
      })),
    );
  }

  /** Builds events until there is none left, or until their texts have `MOST_CHARACTERS`. */
  async function openSome(
    applicationId: string,
    rows: readonly EventWithoutPayload[],
  ): Promise<ListedEvent[]> {
    const opened: ListedEvent[] = [];
    let length = 0;
    while (opened.length < rows.length && length < MOST_CHARACTERS) {
      const some = rows.slice(opened.length, opened.length + READ_AT_ONCE);
      for (const { row, body } of await readBodies(applicationId, some)) {
        opened.push(toListed(row, body));
        length += body.length;
      }
    }
    return opened;
  }

  /** Returns the cursor after the newest event, or `BEGINNING` if there is no event. */
  const latest = async (applicationId: string): Promise<EventCursor> =>
    (await storage.events.latest(applicationId)) ?? BEGINNING;

  /** Returns the cursor after which the requested page begins. */
  async function cursorOf(applicationId: string, { after = '', ...page }: EventFilter): Promise<EventCursor> {
    const [position, id] = readPageToken(page, 3) ?? [];
    if (position !== undefined && id !== undefined) return { id, position: readNumberKey(position) };
    if (after === '') return BEGINNING;
    if (after === 'latest') return latest(applicationId);
    const event = await storage.events.findPosition(applicationId, after);
    if (event) return event;
    throw cursorNotFound(after);
  }

  async function listAfter(
    applicationId: string,
    { position }: EventCursor,
    { types, connectionName, ...page }: EventFilter,
  ): Promise<EventSlice> {
    const size = pageSizeOf(page);
    const { rows, searchedTo } = await storage.events.list(applicationId, {
      types: types === undefined ? undefined : checkTypes(types.split(','), 'types'),
      connectionName,
      after: position,
      limit: size + 1,
    });
    const items = await openSome(applicationId, rows.slice(0, size));
    const last = rows[items.length - 1];
    const next = items.length < rows.length ? last : searchedTo;
    return { page: { items, ...(next && { nextPageToken: tokenAfter(next) }) }, last };
  }

  return {
    latest,
    cursorOf,
    listAfter,
    tokenAfter,

    /**
     * Lists events, oldest first. An event that is added later never appears before the end of a page that was already
     * read.
     */
    list: async (applicationId: string, filter: EventFilter): Promise<Page<ListedEvent>> =>
      (await listAfter(applicationId, await cursorOf(applicationId, filter), filter)).page,

    get: async (applicationId: string, id: string): Promise<ListedEvent> => {
      const event = await storage.events.find(applicationId, id);
      if (event) return toListed(event, await openBody(vault, event));
      throw eventNotFound(id);
    },
  };
}

export type EventList = ReturnType<typeof createEventList>;

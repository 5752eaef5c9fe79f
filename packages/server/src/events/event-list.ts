import { parseJson } from '@svc/catalog';
import type { MemoryShare } from '../concurrency/body-memory.js';
import { ServiceError } from '../errors.js';
import type { AnyEventType } from '../names/event-types.js';
import {
  type Page,
  type PageRequest,
  pageSizeOf,
  readNumberKey,
  readPageToken,
  toPageToken,
} from '../page.js';
import type { EventPosition, EventWithoutPayload } from '../storage/events-table.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import type { CheckTypes } from './check-types.js';
import type { OpenBody } from './event-payload.js';
import { memoryFor, type PayloadMemory } from './with-body.js';

/** Event as the API returns it. The event's type determines the fields of `data`. */
export interface ListedEvent {
  readonly id: string;
  readonly type: AnyEventType;
  readonly timestamp: string;
  readonly data: unknown;
}

export interface EventFilter extends PageRequest {
  /**
   * Id of an event: the list contains only later events. `latest`: the list contains only events after this request.
   */
  readonly after?: string | undefined;
  /** Event types to list, separated by commas. */
  readonly types?: string | undefined;
  readonly connectionName?: string | undefined;
}

export interface EventRequest<Filter extends EventFilter = EventFilter> {
  readonly filter: Filter;
  /**
   * Settles when the client has received the response or has disconnected. The service then releases the memory that it
   * reserved for the response.
   */
  readonly whenSent: Promise<unknown>;
}

const eventNotFound = (id: string) =>
  new ServiceError(
    'not_found',
    `There is no event "${id}". Check the id. The service may have deleted the event after its retention time.`,
  );

const cursorNotFound = (id: string) =>
  new ServiceError(
    'invalid_request',
    `The event "${id}" does not exist or was deleted after its retention time. Omit "after" to begin with the oldest event.`,
  );

const positionNotFound = () =>
  new ServiceError(
    'invalid_request',
    'The event to which "pageToken" points does not exist, for example because the database was restored from a backup. Omit "pageToken" to begin with the oldest event.',
  );

/** Position of the event after which the next page begins. 0 means the beginning of the list. */
export type EventCursor = Pick<EventPosition, 'position'>;

const BEGINNING: EventCursor = { position: 0 };

/** Page of the event list, with the position after its last event. */
export interface EventSlice {
  readonly page: Page<ListedEvent>;
  /** Position of the last event on the page. `undefined` if the page is empty. */
  readonly last: EventCursor | undefined;
}

function toListed({ id, type, at }: EventWithoutPayload, body: string): ListedEvent {
  const { data } = parseJson(body) as { readonly data: unknown };
  return { id, type, timestamp: isoTime(at), data };
}

export interface EventListParts {
  readonly storage: Pick<Storage, 'events'>;
  readonly openBody: OpenBody;
  readonly memory: PayloadMemory;
  readonly checkTypes: CheckTypes;
  readonly now: () => number;
}

/**
 * Total length of the events' JSON texts, in characters, after which a page ends, because payloads from upstreams can
 * be large.
 */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Maximum number of events whose payloads are read and decrypted together. */
const READ_AT_ONCE = 16;
/** Maximum size in bytes of encrypted payloads that are read together. A larger payload is read alone. */
const BYTES_AT_ONCE = 1024 * 1024;

/** Returns the first events of `rows`, up to `READ_AT_ONCE` events and `BYTES_AT_ONCE` bytes. */
function takeSome<Row extends EventWithoutPayload>(rows: readonly Row[]): readonly Row[] {
  const some = rows.slice(0, READ_AT_ONCE);
  let bytes = 0;
  const end = some.findIndex(({ payloadBytes }, index) => {
    bytes += payloadBytes;
    return index > 0 && bytes > BYTES_AT_ONCE;
  });
  return end < 0 ? some : some.slice(0, end);
}

const memoryForAll = (rows: readonly EventWithoutPayload[]): number =>
  rows.reduce((sum, row) => sum + memoryFor(row), 0);

/**
 * Reserves memory for the payloads of the first rows, and returns these rows. If there is too little memory for
 * several, it returns one row. If there is too little for one, it throws `unavailable` at the beginning of a page, and
 * returns no row later.
 */
function takeFitting(
  rows: readonly EventWithoutPayload[],
  { share, isFirst }: { readonly share: MemoryShare; readonly isFirst: boolean },
): readonly EventWithoutPayload[] {
  const some = takeSome(rows);
  if (share.tryTake(memoryForAll(some))) return some;
  const one = some.slice(0, 1);
  if (isFirst) share.take(memoryForAll(one));
  else if (!share.tryTake(memoryForAll(one))) return [];
  return one;
}

/**
 * Creates the list of an application's events. From it, an application can read events that its webhook endpoints
 * missed.
 */
export function createEventList({ storage, openBody, memory, checkTypes, now }: EventListParts) {
  /**
   * Returns the token of the page after the cursor's event. The token contains the position, because the event may be
   * deleted before the next request. The current time makes each token unique, because clients stop paging if a list
   * returns the same token twice.
   */
  const tokenAfter = ({ position }: EventCursor): string => toPageToken([String(position), String(now())]);

  /**
   * Returns some events with their complete JSON texts. Also reads the payloads from upstreams, which the rows do not
   * contain.
   */
  async function readBodies(
    applicationId: string,
    rows: readonly EventWithoutPayload[],
  ): Promise<readonly { readonly row: EventWithoutPayload; readonly body: string }[]> {
    const ids = rows.filter(({ payloadBytes }) => payloadBytes > 0).map(({ id }) => id);
    const stored = ids.length === 0 ? [] : await storage.events.listPayloads(applicationId, ids);
    const payloads = new Map(stored.map(({ id, payload }) => [id, payload]));
    return Promise.all(
      rows.map(async (row) => ({
        row,
        body: await openBody({ ...row, payload: payloads.get(row.id) ?? null }),
      })),
    );
  }

  /**
   * Builds events until no row is left, their texts exceed `MAX_CHARACTERS`, or too little memory is free for further
   * payloads. Keeps the memory reserved until the response is sent. Throws `unavailable` if the first payload does not
   * fit.
   */
  async function openSome(
    applicationId: string,
    rows: readonly EventWithoutPayload[],
    whenSent: Promise<unknown>,
  ): Promise<ListedEvent[]> {
    const opened: ListedEvent[] = [];
    const share = memory.open(applicationId);
    void whenSent.then(share.release);
    let length = 0;
    while (opened.length < rows.length && length < MAX_CHARACTERS) {
      const some = takeFitting(rows.slice(opened.length), { share, isFirst: opened.length === 0 });
      if (some.length === 0) break;
      for (const { row, body } of await readBodies(applicationId, some)) {
        opened.push(toListed(row, body));
        length += body.length;
      }
    }
    return opened;
  }

  /** Returns the cursor of the application's newest event, or `BEGINNING` if it has no event. */
  const latest = async (applicationId: string): Promise<EventCursor> =>
    (await storage.events.latest(applicationId)) ?? BEGINNING;

  /**
   * Returns the cursor for the position in a page token. Refuses a position after the last event, because new events
   * could get earlier positions and the reader would miss them. A position up to the current time needs no query,
   * because a new event's position exceeds the current time in milliseconds.
   */
  async function checkedCursor(position: number): Promise<EventCursor> {
    if (position > now() && position > (await storage.events.lastPosition())) throw positionNotFound();
    return { position };
  }

  /** Returns the cursor of the event after which the requested page begins. */
  async function cursorOf(applicationId: string, { after = '', ...page }: EventFilter): Promise<EventCursor> {
    const [position] = readPageToken(page, 2) ?? [];
    if (position !== undefined) return checkedCursor(readNumberKey(position));
    if (after === '') return BEGINNING;
    if (after === 'latest') return latest(applicationId);
    const event = await storage.events.findPosition(applicationId, after);
    if (event) return event;
    throw cursorNotFound(after);
  }

  async function listAfter(
    applicationId: string,
    { position }: EventCursor,
    { filter: { types, connectionName, ...page }, whenSent }: EventRequest,
  ): Promise<EventSlice> {
    const size = pageSizeOf(page);
    const { rows, searchedTo } = await storage.events.list(applicationId, {
      types: types === undefined ? undefined : checkTypes(types.split(','), 'types'),
      connectionName,
      after: position,
      limit: size + 1,
    });
    const items = await openSome(applicationId, rows.slice(0, size), whenSent);
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
     * Lists events, oldest first. An event that is added later never appears on a page that was already read or on an
     * earlier one.
     */
    list: async (applicationId: string, request: EventRequest): Promise<Page<ListedEvent>> => {
      const cursor = await cursorOf(applicationId, request.filter);
      return (await listAfter(applicationId, cursor, request)).page;
    },

    get: async (applicationId: string, id: string, whenSent: Promise<unknown>): Promise<ListedEvent> => {
      const row = await storage.events.find(applicationId, id);
      const [event] = row === undefined ? [] : await openSome(applicationId, [row], whenSent);
      if (event) return event;
      throw eventNotFound(id);
    },
  };
}

export type EventList = ReturnType<typeof createEventList>;

import { type Insertable, type NotNull, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { AnyEventType } from '../names/event-types.js';
import { hasRow } from './affected-rows.js';
import { dialectOf } from './dialect.js';
import type { EventRow } from './event-rows.js';
import { givenRows } from './given-rows.js';
import { PREPARED } from './prepared-statement.js';
import type { Database, Schema } from './schema.js';

export type StoredEvent = Selectable<EventRow>;

/** Event that already has a position in the order of commits. */
export type PositionedEvent = Pick<
  StoredEvent,
  'applicationId' | 'id' | 'type' | 'accountId' | 'connectionName' | 'at'
> & {
  readonly position: number;
};

/** JSON text of an event, without its encrypted payload. */
export interface EventBody extends Pick<StoredEvent, 'applicationId' | 'id' | 'at' | 'body'> {
  /** Size of the stored, encrypted payload in bytes. 0 if the event has none. */
  readonly payloadBytes: number;
}

export interface EventQuery {
  readonly types?: readonly AnyEventType[] | undefined;
  readonly connectionName?: string | undefined;
  /**
   * Pagination cursor: only events whose position (number in the order of commits) is higher than this number are
   * listed.
   */
  readonly after: number;
  readonly limit: number;
}

/** Event without its payload, which can be large. */
export interface EventWithoutPayload extends Omit<StoredEvent, 'payload'>, Pick<EventBody, 'payloadBytes'> {}

export type EventPosition = Pick<PositionedEvent, 'applicationId' | 'position'>;

export interface PositionRequest {
  readonly most: number;
  readonly now: number;
  readonly applicationIds?: readonly string[];
}

type SequencedEvent = Pick<StoredEvent, 'seq'>;

export interface EventPage {
  readonly rows: (EventWithoutPayload & Pick<EventPosition, 'position'>)[];
  /**
   * Last event that the query read, if it stopped early and later events may match. `undefined` if it read all events.
   */
  readonly searchedTo?: EventPosition | undefined;
}

/** Maximum number of events that one query reads, so that a filter with few matches does not scan all events. */
export const MAX_SEARCHED = 10_000;

const POSITION = 'event_position';
const LISTED = [
  'applicationId',
  'seq',
  'id',
  'type',
  'at',
  'position',
  'accountId',
  'connectionName',
  'body',
] as const;
const PAYLOAD_BYTES = sql<number>`coalesce(octet_length(events.payload), 0)`;
/** Maximum number of events whose payloads one statement erases. */
const ERASED_AT_ONCE = 100;

export const eventsTable = (database: Database) => {
  const selectOwn = (
    applicationId: string,
    { after }: EventQuery,
  ): SelectQueryBuilder<Schema, 'events', object> =>
    database
      .selectFrom('events')
      .where('applicationId', '=', applicationId)
      .where('position', '>', after)
      .orderBy('position');

  const selectListed = <Output>(select: SelectQueryBuilder<Schema, 'events', Output>) =>
    select.select(LISTED).select(PAYLOAD_BYTES.as('payloadBytes'));

  const selectPosition = (applicationId: string) =>
    database
      .selectFrom('events')
      .select(['applicationId', 'position'])
      .where('applicationId', '=', applicationId)
      .where('position', '>', 0)
      .$narrowType<{ position: NotNull }>();

  const findEnd = (applicationId: string, query: EventQuery) =>
    selectOwn(applicationId, query)
      .select(['applicationId', 'position'])
      .$narrowType<{ position: NotNull }>()
      .offset(MAX_SEARCHED - 1)
      .limit(1)
      .executeTakeFirst();

  /** Locks the highest position that any event ever got until the transaction ends, and returns it. */
  async function lockLastPosition(): Promise<number> {
    const { value } = await database
      .insertInto('settings')
      .values({ name: POSITION, value: '0' })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({ value: ref('settings.value') })),
      )
      .returning('value')
      .executeTakeFirstOrThrow();
    return Number(value);
  }

  const selectWaiting = (most: number) =>
    database.selectFrom('events').select('seq').where('position', 'is', null).orderBy('seq').limit(most);

  /** Finds the oldest events without a position of several applications in one statement (PostgreSQL). */
  async function waitingOfAll(
    applicationIds: readonly string[],
    most: number,
  ): Promise<readonly SequencedEvent[]> {
    const given = givenRows(
      database,
      { application_id: 'text' },
      applicationIds.map((id) => ({ application_id: id })),
    );
    const { rows } = await sql<SequencedEvent>`select slice.seq from ${given} cross join lateral (
      select seq from events where application_id = given.application_id and position is null
      order by seq limit ${most}) as slice`.execute(database);
    return rows;
  }

  async function findWaiting(
    applicationIds: readonly string[],
    most: number,
  ): Promise<readonly SequencedEvent[]> {
    const found: SequencedEvent[] = [];
    if (dialectOf(database) === 'postgres') found.push(...(await waitingOfAll(applicationIds, most)));
    else
      for (const id of applicationIds)
        found.push(...(await selectWaiting(most).where('applicationId', '=', id).execute()));
    return found.sort((one, other) => one.seq - other.seq);
  }

  /**
   * Assigns positions above `above` in the order of `seq`. An event that is committed later gets its higher position in
   * a later call, even if its `seq` is lower.
   */
  async function positionBySeq(seqs: readonly number[], above: number): Promise<readonly PositionedEvent[]> {
    const [first, last] = [seqs[0], seqs.at(-1)];
    if (first === undefined || last === undefined) return [];
    const added = above + 1 - first;
    const rows = await database
      .updateTable('events')
      .set(({ eb }) => ({ position: eb('seq', '+', added) }))
      .where('seq', 'in', seqs)
      .returning(['applicationId', 'id', 'type', 'accountId', 'connectionName', 'at', 'position'])
      .execute();
    await database
      .updateTable('settings')
      .set({ value: String(last + added) })
      .where('name', '=', POSITION)
      .execute();
    return rows
      .map((row) => ({ ...row, position: row.position ?? 0 }))
      .sort((one, other) => one.position - other.position);
  }

  return {
    insert: async (events: readonly Insertable<EventRow>[]): Promise<void> => {
      const insert = database.insertInto('events').values(events);
      await (events.length === 1 ? insert.modifyEnd(PREPARED) : insert).execute();
    },

    find: (applicationId: string, id: string): Promise<EventWithoutPayload | undefined> =>
      selectListed(database.selectFrom('events'))
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .executeTakeFirst(),

    /**
     * Lists the events of an application, sorted by position (number in the order of commits). Events without a
     * position are not listed yet.
     */
    list: async (applicationId: string, query: EventQuery): Promise<EventPage> => {
      const { types, connectionName, limit } = query;
      const isFiltered = types !== undefined || connectionName !== undefined;
      const end = isFiltered ? await findEnd(applicationId, query) : undefined;
      let select = selectListed(selectOwn(applicationId, query)).$narrowType<{ position: NotNull }>();
      if (types !== undefined) select = select.where('type', 'in', types);
      if (connectionName !== undefined) select = select.where('connectionName', '=', connectionName);
      if (end !== undefined) select = select.where('position', '<=', end.position);
      const rows = await select.limit(limit).execute();
      return { rows, searchedTo: rows.length < limit ? end : undefined };
    },

    /** Returns the application's event with the highest position. Returns `undefined` if there is none. */
    latest: (applicationId: string): Promise<EventPosition | undefined> =>
      selectPosition(applicationId).orderBy('position', 'desc').limit(1).executeTakeFirst(),

    /** Returns the position of an event. Returns `undefined` if the event does not exist or has no position yet. */
    findPosition: (applicationId: string, id: string): Promise<EventPosition | undefined> =>
      selectPosition(applicationId).where('id', '=', id).executeTakeFirst(),

    /** Returns the highest position that any event ever got, or 0 before the first event. */
    lastPosition: async (): Promise<number> => {
      const row = await database
        .selectFrom('settings')
        .select('value')
        .where('name', '=', POSITION)
        .executeTakeFirst();
      return Number(row?.value ?? 0);
    },

    /**
     * Lists the JSON texts of events, which may belong to several applications, for sending them to webhook endpoints.
     */
    listBodies: async (
      events: readonly Pick<EventRow, 'applicationId' | 'id'>[],
    ): Promise<readonly EventBody[]> => {
      const given = givenRows(
        database,
        { application_id: 'text', id: 'text' },
        events.map(({ applicationId, id }) => ({ application_id: applicationId, id })),
      );
      const { rows } = await sql<EventBody>`select events.application_id, events.id, events.at, events.body,
          ${PAYLOAD_BYTES} as payload_bytes from ${given}
        join events on events.application_id = given.application_id and events.id = given.id`.execute(
        database,
      );
      return rows;
    },

    listPayloads: (applicationId: string, ids: readonly string[]) =>
      database
        .selectFrom('events')
        .select(['applicationId', 'id', 'payload'])
        .where('applicationId', '=', applicationId)
        .where('id', 'in', ids)
        .execute(),

    /** Erases the payloads of at most `ERASED_AT_ONCE` events of an account. Returns true if more may be left. */
    eraseSomePayloads: async (applicationId: string, accountId: string): Promise<boolean> => {
      const some = database
        .selectFrom('events')
        .select('id')
        .where('applicationId', '=', applicationId)
        .where('accountId', '=', accountId)
        .where('payload', 'is not', null)
        .limit(ERASED_AT_ONCE);
      const { numUpdatedRows } = await database
        .updateTable('events')
        .set({ payload: null })
        .where('applicationId', '=', applicationId)
        .where('id', 'in', some)
        .executeTakeFirst();
      return numUpdatedRows >= ERASED_AT_ONCE;
    },

    hasUnpositioned: (): Promise<boolean> =>
      hasRow(
        database.selectFrom('events').select('seq').where('position', 'is', null).orderBy('seq').limit(1),
      ),

    /**
     * Lists up to `limit` applications that have events without a position, sorted by id. The recursive query needs only
     * one index entry to find the next application, however many events wait.
     */
    listWaiting: async ({
      after,
      limit,
    }: {
      readonly after: string;
      readonly limit: number;
    }): Promise<readonly string[]> => {
      const { rows } = await sql<{ readonly owner: string }>`
        with recursive found (owner) as (
          select min(application_id) from events where position is null and application_id > ${after}
          union all
          select (select min(application_id) from events where position is null and application_id > found.owner)
          from found where found.owner is not null
        )
        select owner from found where owner is not null limit ${limit}`.execute(database);
      return rows.map(({ owner }) => owner);
    },

    /**
     * Assigns the next positions (numbers in the order of commits) to at most `most` events that have none, oldest
     * first, and returns these events. With `applicationIds`, takes at most `most` events of each of these applications.
     * Must run in a transaction: it holds a lock until the commit, so that positions become visible in ascending order.
     * Each position is above `now`, the time in milliseconds since 1970. Otherwise, after an older backup was restored,
     * new events would get positions that readers have already passed.
     */
    position: async ({ most, now, applicationIds }: PositionRequest): Promise<readonly PositionedEvent[]> => {
      const last = await lockLastPosition();
      const waiting =
        applicationIds === undefined
          ? await selectWaiting(most).execute()
          : await findWaiting(applicationIds, most);
      return positionBySeq(
        waiting.map(({ seq }) => seq),
        Math.max(last, now),
      );
    },

    /** Assigns the next position to one new event of the transaction, under the same lock as `position`. */
    positionOne: async (
      applicationId: string,
      id: string,
      now: number,
    ): Promise<PositionedEvent | undefined> => {
      const last = await lockLastPosition();
      const own = await database
        .selectFrom('events')
        .select('seq')
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .where('position', 'is', null)
        .execute();
      const [event] = await positionBySeq(
        own.map(({ seq }) => seq),
        Math.max(last, now),
      );
      return event;
    },
  };
};

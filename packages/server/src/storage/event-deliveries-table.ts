import { type SelectQueryBuilder, sql } from 'kysely';
import type { AnyEventType } from '../names/event-types.js';
import { updates } from './affected-rows.js';
import { dialectOf } from './dialect.js';
import type { DeliveryState, EventDeliveryRow, WebhookEndpointRow } from './event-rows.js';
import type { Database, Schema } from './schema.js';

export type DeliveryCursor = Pick<EventDeliveryRow, 'createdAt' | 'id'>;

export interface DeliveryFilter {
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly type?: AnyEventType | undefined;
  readonly state?: DeliveryState | undefined;
  readonly accountId?: string | undefined;
}

export interface DeliveryQuery extends DeliveryFilter {
  /** Pagination cursor: only older deliveries are listed. */
  readonly before?: DeliveryCursor | undefined;
  readonly limit: number;
}

/** Delivery in a list, without its attempts. */
export type ListedDelivery = Omit<EventDeliveryRow, 'claim' | 'log'>;

export interface DeliveryPage {
  readonly rows: ListedDelivery[];
  /** Last delivery that the query read, when older ones may match; `undefined` when it read all deliveries. */
  readonly searchedTo?: DeliveryCursor | undefined;
}

/** Delivery that an instance has claimed. A write with this key changes nothing after another instance claimed it. */
export type DeliveryClaim = Pick<EventDeliveryRow, 'applicationId' | 'id' | 'claim'>;

export type DeliveryChange = Pick<EventDeliveryRow, 'state' | 'attempts' | 'nextAt' | 'log' | 'endedAt'>;

/** Endpoint with a delivery whose time has come. */
export type DueEndpoint = Pick<WebhookEndpointRow, 'applicationId' | 'id' | 'failingSince' | 'ordered'>;

/** Maximum number of deliveries that one query reads, so that a filter with few matches cannot scan all of them. */
const MAX_SEARCHED = 10_000;
/** Rows of one insert statement. Both databases limit the number of parameters. */
const INSERTED_AT_ONCE = 500;

const FILTERS = [
  'endpointId',
  'eventId',
  'type',
  'state',
  'accountId',
] as const satisfies readonly (keyof DeliveryFilter)[];

/** Columns of a list. The log of attempts is left out, because it can have 20 KiB. */
const LISTED = [
  'id',
  'applicationId',
  'endpointId',
  'eventId',
  'position',
  'type',
  'accountId',
  'state',
  'attempts',
  'nextAt',
  'createdAt',
  'endedAt',
] as const satisfies readonly (keyof ListedDelivery)[];

type SelectDeliveries<Output> = SelectQueryBuilder<Schema, 'eventDeliveries', Output>;

const filtersOf = (query: DeliveryQuery) =>
  FILTERS.flatMap((column) => {
    const value = query[column];
    return value === undefined ? [] : [{ column, value }];
  });

export const eventDeliveriesTable = (database: Database) => {
  const isPostgres = dialectOf(database) === 'postgres';

  function selectOwn(applicationId: string, { before }: DeliveryQuery): SelectDeliveries<object> {
    const own = database
      .selectFrom('eventDeliveries')
      .where('applicationId', '=', applicationId)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc');
    if (before === undefined) return own;
    return own.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('createdAt', 'id'), '<', tuple(before.createdAt, before.id)),
    );
  }

  const findEnd = (applicationId: string, query: DeliveryQuery) =>
    selectOwn(applicationId, query)
      .select(['applicationId', 'createdAt', 'id'])
      .offset(MAX_SEARCHED - 1)
      .limit(1)
      .executeTakeFirst();

  return {
    insert: async (rows: readonly EventDeliveryRow[]): Promise<void> => {
      for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE)
        await database
          .insertInto('eventDeliveries')
          .values(rows.slice(from, from + INSERTED_AT_ONCE))
          .execute();
    },

    find: (applicationId: string, id: string): Promise<EventDeliveryRow | undefined> =>
      database
        .selectFrom('eventDeliveries')
        .selectAll()
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .executeTakeFirst(),

    /** Lists deliveries, newest first. */
    list: async (applicationId: string, query: DeliveryQuery): Promise<DeliveryPage> => {
      const { limit } = query;
      const filters = filtersOf(query);
      const end = filters.length > 0 ? await findEnd(applicationId, query) : undefined;
      let select = selectOwn(applicationId, query).select(LISTED);
      for (const { column, value } of filters) select = select.where(column, '=', value);
      if (end !== undefined)
        select = select.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('createdAt', 'id'), '>=', tuple(end.createdAt, end.id)),
        );
      const rows = await select.limit(limit).execute();
      return { rows, searchedTo: rows.length < limit ? end : undefined };
    },

    /**
     * Lists enabled endpoints with due deliveries, in the order of their ids. The recursion reads one index entry for
     * each endpoint, however many deliveries wait for it.
     */
    dueEndpoints: async ({
      now,
      after,
      limit,
    }: {
      readonly now: number;
      readonly after: string;
      readonly limit: number;
    }): Promise<readonly DueEndpoint[]> => {
      const { rows } = await sql<DueEndpoint>`
        with recursive found (id) as (
          select min(endpoint_id) from event_deliveries where state = 'pending' and endpoint_id > ${after}
          union all
          select (select min(endpoint_id) from event_deliveries where state = 'pending' and endpoint_id > found.id)
          from found where found.id is not null
        )
        select own.application_id, own.id, own.failing_since, own.ordered from found
        join webhook_endpoints as own on own.id = found.id
        where own.enabled = 1 and exists (select 1 from event_deliveries
          where endpoint_id = own.id and state = 'pending' and next_at <= ${now})
        limit ${limit}`.execute(database);
      return rows;
    },

    /** Counts the deliveries that instances are sending to the endpoint now. */
    countSending: async (endpointId: string, now: number): Promise<number> => {
      const { count } = await database
        .selectFrom('eventDeliveries')
        .select(({ fn }) => fn.count('claim').as('count'))
        .where('endpointId', '=', endpointId)
        .where('state', '=', 'pending')
        .where('nextAt', '>', now)
        .where('claim', 'is not', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /**
     * Claims due deliveries of an endpoint until the time `until`. Afterwards they are due again, so that another
     * instance sends them if this one was killed.
     */
    claim: async (
      { applicationId, id }: Pick<WebhookEndpointRow, 'applicationId' | 'id'>,
      {
        now,
        until,
        claim,
        most,
      }: { readonly now: number; readonly until: number; readonly claim: string; readonly most: number },
    ): Promise<readonly EventDeliveryRow[]> => {
      const due = database
        .selectFrom('eventDeliveries')
        .select('id')
        .where('applicationId', '=', applicationId)
        .where('endpointId', '=', id)
        .where('state', '=', 'pending')
        .where('nextAt', '<=', now)
        .orderBy('nextAt')
        .orderBy('position')
        .limit(most);
      const rows = await database
        .updateTable('eventDeliveries')
        .set({ claim, nextAt: until })
        .where('id', 'in', isPostgres ? due.forUpdate().skipLocked() : due)
        .returningAll()
        .execute();
      return rows.sort((one, other) => one.position - other.position);
    },

    /** Ends a claim with the result of its attempt. Returns `false` if another instance has claimed the delivery. */
    finish: ({ applicationId, id, claim }: DeliveryClaim, change: DeliveryChange): Promise<boolean> =>
      updates(
        database
          .updateTable('eventDeliveries')
          .set({ ...change, claim: null })
          .where('applicationId', '=', applicationId)
          .where('id', '=', id)
          .where('claim', '=', claim),
      ),

    /** Lists the accounts for which the ordered endpoint has deliveries that have not ended. */
    pendingAccounts: async (
      endpointId: string,
      accountIds: readonly string[],
    ): Promise<readonly string[]> => {
      const rows = await database
        .selectFrom('eventDeliveries')
        .select('accountId')
        .distinct()
        .where('endpointId', '=', endpointId)
        .where('accountId', 'in', accountIds)
        .where('state', '=', 'pending')
        .execute();
      return rows.flatMap(({ accountId }) => (accountId === null ? [] : [accountId]));
    },

    /** Makes the next delivery of an account due, after the one before it has ended. */
    releaseNext: async (
      { endpointId, accountId }: { readonly endpointId: string; readonly accountId: string },
      now: number,
    ): Promise<void> => {
      await database
        .updateTable('eventDeliveries')
        .set({ nextAt: now })
        .where('id', '=', (select) =>
          select
            .selectFrom('eventDeliveries')
            .select('id')
            .where('endpointId', '=', endpointId)
            .where('accountId', '=', accountId)
            .where('state', '=', 'pending')
            .orderBy('position')
            .limit(1),
        )
        .where('nextAt', 'is', null)
        .execute();
    },

    /**
     * Makes the first pending delivery of each account due, if it waits for a delivery that no longer exists. Retention
     * may delete that delivery while the endpoint is disabled.
     */
    releaseAll: async (endpointId: string, now: number): Promise<void> => {
      await sql`update event_deliveries set next_at = ${now}
        where endpoint_id = ${endpointId} and state = 'pending' and next_at is null
        and not exists (select 1 from event_deliveries as earlier
          where earlier.endpoint_id = event_deliveries.endpoint_id
          and earlier.account_id = event_deliveries.account_id
          and earlier.state = 'pending' and earlier.position < event_deliveries.position)`.execute(database);
    },

    /**
     * Makes a delivery due again. Returns `undefined` if it does not exist, is being sent, or waits for an earlier
     * delivery.
     */
    resend: (applicationId: string, id: string, now: number): Promise<EventDeliveryRow | undefined> =>
      database
        .updateTable('eventDeliveries')
        .set({ state: 'pending', attempts: 0, nextAt: now, endedAt: null })
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .where('claim', 'is', null)
        .where(({ eb, or }) => or([eb('state', '!=', 'pending'), eb('nextAt', 'is not', null)]))
        .returningAll()
        .executeTakeFirst(),

    /** Deletes at most `most` deliveries of an endpoint. Returns `true` while more may be left. */
    deleteSome: async (
      applicationId: string,
      { endpointId, most }: { readonly endpointId: string; readonly most: number },
    ): Promise<boolean> => {
      const { numDeletedRows } = await database
        .deleteFrom('eventDeliveries')
        .where('applicationId', '=', applicationId)
        .where('id', 'in', (select) =>
          select
            .selectFrom('eventDeliveries')
            .select('id')
            .where('applicationId', '=', applicationId)
            .where('endpointId', '=', endpointId)
            .limit(most),
        )
        .executeTakeFirst();
      return numDeletedRows >= BigInt(most);
    },
  };
};

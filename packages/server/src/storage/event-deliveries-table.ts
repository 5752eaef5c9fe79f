import { type SelectQueryBuilder, sql } from 'kysely';
import type { AnyEventType } from '../names/event-types.js';
import type { RowCount } from '../page.js';
import { countRows } from './count-rows.js';
import type { DeliveryState, EventDeliveryRow } from './event-rows.js';
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
  /** If true, lists the oldest deliveries first. */
  readonly oldestFirst?: boolean | undefined;
  /** Pagination cursor: only deliveries after this one are listed, in the requested order. */
  readonly after?: DeliveryCursor | undefined;
  readonly limit: number;
}

/** Delivery as lists contain it, without its attempts. */
export type ListedDelivery = Omit<EventDeliveryRow, 'claim' | 'log'>;

export interface DeliveryPage {
  readonly rows: ListedDelivery[];
  /**
   * Pagination cursor: last delivery that the query read, if it stopped early and more deliveries may match.
   * `undefined` if it read all deliveries.
   */
  readonly searchedTo?: DeliveryCursor | undefined;
}

/** Maximum number of deliveries that one query reads, so that a filter with few matches does not scan all of them. */
const MAX_SEARCHED = 10_000;
/** Maximum number of rows in one INSERT statement, because both databases limit the number of parameters. */
const INSERTED_AT_ONCE = 500;

const FILTERS = [
  'endpointId',
  'eventId',
  'type',
  'state',
  'accountId',
] as const satisfies readonly (keyof DeliveryFilter)[];

/** Columns of a delivery that lists contain. The log of attempts is omitted, because its size can be 20 KiB. */
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

/**
 * Adds the one filter that an index supports best. A filtered list reads at most `MAX_SEARCHED` deliveries that match
 * it, and then applies the other filters.
 */
function filterIndexed(
  select: SelectDeliveries<object>,
  { accountId, endpointId, eventId, state }: DeliveryFilter,
): SelectDeliveries<object> {
  if (eventId !== undefined) return select.where('eventId', '=', eventId);
  if (accountId !== undefined) return select.where('accountId', '=', accountId);
  if (endpointId !== undefined) return select.where('endpointId', '=', endpointId);
  // Inserts a constant instead of a parameter, because otherwise the database cannot use the partial index of failed
  // deliveries.
  return state === 'failed' ? select.where(sql<boolean>`state = 'failed'`) : select;
}

const filtersOf = (query: DeliveryFilter) =>
  FILTERS.flatMap((column) => {
    const value = query[column];
    return value === undefined ? [] : [{ column, value }];
  });

export const eventDeliveriesTable = (database: Database) => {
  function selectOwn(
    applicationId: string,
    { after, oldestFirst = false }: Omit<DeliveryQuery, 'limit'>,
  ): SelectDeliveries<object> {
    const order = oldestFirst ? 'asc' : 'desc';
    const own = database
      .selectFrom('eventDeliveries')
      .where('applicationId', '=', applicationId)
      .orderBy('createdAt', order)
      .orderBy('id', order);
    if (after === undefined) return own;
    return own.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('createdAt', 'id'), oldestFirst ? '>' : '<', tuple(after.createdAt, after.id)),
    );
  }

  const findEnd = (applicationId: string, query: Omit<DeliveryQuery, 'limit'>) =>
    filterIndexed(selectOwn(applicationId, query), query)
      .select(['applicationId', 'createdAt', 'id'])
      .offset(MAX_SEARCHED - 1)
      .limit(1)
      .executeTakeFirst();

  /**
   * Selects the deliveries that match a query. `end`: last delivery that the query reads, if it does not read all of
   * them.
   */
  async function search(applicationId: string, query: Omit<DeliveryQuery, 'limit'>) {
    const filters = filtersOf(query);
    const end = filters.length > 0 ? await findEnd(applicationId, query) : undefined;
    let select = filterIndexed(selectOwn(applicationId, query), query);
    for (const { column, value } of filters) select = select.where(column, '=', value);
    if (end !== undefined)
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), query.oldestFirst ? '<=' : '>=', tuple(end.createdAt, end.id)),
      );
    return { select, end };
  }

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

    /** Lists the deliveries of an application, newest first by default. */
    list: async (applicationId: string, query: DeliveryQuery): Promise<DeliveryPage> => {
      const { limit } = query;
      const { select, end } = await search(applicationId, query);
      const rows = await select.select(LISTED).limit(limit).execute();
      return { rows, searchedTo: rows.length < limit ? end : undefined };
    },

    /** Counts the deliveries of an application. If there is a filter, searches only the newest deliveries. */
    countListed: async (applicationId: string, filter: DeliveryFilter): Promise<RowCount> => {
      const { select, end } = await search(applicationId, filter);
      return countRows(database, select.select('id'), end !== undefined);
    },

    /**
     * Makes a delivery due, so that the service sends it once more. Returns `undefined` if the delivery does not exist,
     * is being sent, or waits for an earlier one.
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

    /** Deletes at most `most` deliveries of an endpoint. Returns true if more may be left. */
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

import { sql } from 'kysely';
import { dialectOf } from './dialect.js';
import type { EventDeliveryRow, WebhookEndpointRow } from './event-rows.js';
import { givenRows } from './given-rows.js';
import type { Database } from './schema.js';
import type { WebhookEndpointKey } from './webhook-endpoints-table.js';

/** Webhook endpoint with at least one due delivery, whose next attempt should be made now. */
export type DueEndpoint = Pick<WebhookEndpointRow, 'applicationId' | 'id' | 'failingSince' | 'ordered'>;

/** Maximum number of deliveries (`most`) that a query may claim for one webhook endpoint. */
export interface ClaimShare extends Pick<WebhookEndpointRow, 'applicationId' | 'id'> {
  readonly most: number;
}

export interface ClaimRequest {
  readonly now: number;
  /**
   * Time in milliseconds since 1970 until which this instance holds the claim (a lease on the deliveries). Afterwards
   * another instance may claim the deliveries.
   */
  readonly until: number;
  /** Random id of the claim, which marks the deliveries that this instance may send. */
  readonly claim: string;
}

/**
 * Outcome of an attempt to send a claimed delivery. It is not stored if another instance has claimed the delivery
 * meanwhile.
 */
export type FinishedDelivery = Pick<
  EventDeliveryRow,
  'applicationId' | 'id' | 'claim' | 'state' | 'attempts' | 'nextAt' | 'log' | 'endedAt'
>;

/**
 * Account with deliveries to an ordered endpoint. Such a webhook endpoint gets the events of one account in order: each
 * delivery waits until the one before it has ended.
 */
export interface OrderedAccount {
  readonly endpointId: string;
  readonly accountId: string;
}

const FINISHED = {
  application_id: 'text',
  id: 'text',
  claim: 'text',
  state: 'text',
  attempts: 'integer',
  next_at: 'bigint',
  log: 'text',
  ended_at: 'bigint',
} as const;

/** Queries that find and claim webhook deliveries waiting for an attempt, and store the outcomes of attempts. */
export const deliveryQueueTable = (database: Database) => {
  const isPostgres = dialectOf(database) === 'postgres';

  /**
   * Selects the id of an endpoint if it belongs to the application. Filtering deliveries by their own application id
   * could read all deliveries of the endpoint, because the indexes of pending deliveries begin with the endpoint.
   */
  const ownId = ({ applicationId, id }: WebhookEndpointKey) =>
    database
      .selectFrom('webhookEndpoints')
      .select('id')
      .where('applicationId', '=', applicationId)
      .where('id', '=', id);

  /**
   * Claims due deliveries of one endpoint for this instance (SQLite). Each endpoint needs its own statement, because
   * SQLite has no lateral joins.
   */
  const claimOf = ({ applicationId, id, most }: ClaimShare, { now, until, claim }: ClaimRequest) =>
    database
      .updateTable('eventDeliveries')
      .set({ claim, nextAt: until })
      .where('id', 'in', (select) =>
        select
          .selectFrom('eventDeliveries')
          .select('id')
          .where('applicationId', '=', applicationId)
          .where('endpointId', '=', id)
          .where('state', '=', 'pending')
          .where('nextAt', '<=', now)
          .orderBy('nextAt')
          .orderBy('position')
          .limit(most),
      )
      .returningAll()
      .execute();

  /**
   * Claims due deliveries of several endpoints for this instance in one statement (PostgreSQL). Skips deliveries that
   * another transaction has locked.
   */
  async function claimAtOnce(shares: readonly ClaimShare[], { now, until, claim }: ClaimRequest) {
    const given = givenRows(
      database,
      { application_id: 'text', endpoint_id: 'text', most: 'integer' },
      shares.map(({ applicationId, id, most }) => ({ application_id: applicationId, endpoint_id: id, most })),
    );
    const { rows } = await sql<EventDeliveryRow>`
      update event_deliveries set claim = ${claim}, next_at = ${until}
      from (select slice.id from ${given} cross join lateral (
        select id from event_deliveries
        where application_id = given.application_id and endpoint_id = given.endpoint_id
        and state = 'pending' and next_at <= ${now}
        order by next_at, position limit given.most for update skip locked
      ) as slice) as due
      where event_deliveries.id = due.id returning event_deliveries.*`.execute(database);
    return rows;
  }

  return {
    /**
     * Lists endpoints with due deliveries that are enabled and not paused, sorted by endpoint id. The recursive query
     * needs only one index entry to find the next endpoint, however many deliveries an endpoint has.
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
        where own.enabled = 1 and own.disabled_reason is null and exists (select 1 from event_deliveries
          where endpoint_id = own.id and state = 'pending' and next_at <= ${now})
        limit ${limit}`.execute(database);
      return rows;
    },

    /** Counts the pending deliveries of all applications, up to `most`. */
    countPending: async (most: number): Promise<number> => {
      const { rows } = await sql<{ readonly count: number }>`select count(*) as count
        from (select 1 from event_deliveries where state = 'pending' limit ${most}) as slice`.execute(
        database,
      );
      return Number(rows[0]?.count ?? 0);
    },

    /**
     * Counts, for each endpoint, the deliveries that instances are sending now. Their `nextAt` is between `now` and
     * `until`, the latest possible end of a claim. Deliveries with a later `nextAt` wait for their next attempt.
     */
    countSending: async (
      endpointIds: readonly string[],
      { now, until }: Pick<ClaimRequest, 'now' | 'until'>,
    ): Promise<ReadonlyMap<string, number>> => {
      const rows = await database
        .selectFrom('eventDeliveries')
        .select(['endpointId', ({ fn }) => fn.count('claim').as('count')])
        .where('endpointId', 'in', endpointIds)
        .where('state', '=', 'pending')
        .where('nextAt', '>', now)
        .where('nextAt', '<=', until)
        .where('claim', 'is not', null)
        .groupBy('endpointId')
        .execute();
      return new Map(rows.map(({ endpointId, count }) => [endpointId, Number(count)]));
    },

    /**
     * Claims due deliveries of several endpoints until the time `until`. If this process is killed, another instance
     * can claim them afterwards.
     */
    claim: async (
      shares: readonly ClaimShare[],
      request: ClaimRequest,
    ): Promise<readonly EventDeliveryRow[]> => {
      const rows: EventDeliveryRow[] = [];
      if (isPostgres) rows.push(...(await claimAtOnce(shares, request)));
      else for (const share of shares) rows.push(...(await claimOf(share, request)));
      return rows.sort((one, other) => one.position - other.position);
    },

    /**
     * Stores the outcomes of delivery attempts, and ends this instance's claims (leases) of the deliveries. Returns the
     * ids of the deliveries that this instance still held.
     */
    finish: async (finished: readonly FinishedDelivery[]): Promise<ReadonlySet<string>> => {
      const given = givenRows(
        database,
        FINISHED,
        finished.map(({ applicationId, id, claim, state, attempts, nextAt, log, endedAt }) => ({
          application_id: applicationId,
          id,
          claim,
          state,
          attempts,
          next_at: nextAt,
          log,
          ended_at: endedAt,
        })),
      );
      const { rows } = await sql<{ readonly id: string }>`
        update event_deliveries set state = given.state, attempts = given.attempts, next_at = given.next_at,
          log = given.log, ended_at = given.ended_at, claim = null
        from ${given} where event_deliveries.id = given.id and event_deliveries.claim = given.claim
        and event_deliveries.application_id = given.application_id
        returning event_deliveries.id`.execute(database);
      return new Set(rows.map(({ id }) => id));
    },

    /**
     * Returns those of the given accounts that have pending deliveries to the endpoint. A new delivery of such an
     * account must wait, because the endpoint gets the events of one account in order.
     */
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

    /**
     * Makes the first pending delivery of each account due, if it waits for an earlier one, because the earlier one has
     * ended or was deleted. For endpoints that get the events of one account in order.
     */
    releaseNext: async (accounts: readonly OrderedAccount[], now: number): Promise<void> => {
      const given = givenRows(
        database,
        { endpoint_id: 'text', account_id: 'text' },
        accounts.map(({ endpointId, accountId }) => ({ endpoint_id: endpointId, account_id: accountId })),
      );
      const first = sql`select (
          select id from event_deliveries as own
          where own.endpoint_id = given.endpoint_id and own.account_id = given.account_id and own.state = 'pending'
          order by own.position limit 1
        ) from ${given}`;
      const isFirst = isPostgres ? sql`id = any (array(${first}))` : sql`id in (${first})`;
      await sql`update event_deliveries set next_at = ${now} where next_at is null and ${isFirst}`.execute(
        database,
      );
    },

    /**
     * Makes all deliveries of an endpoint due that wait for an earlier delivery of their account. Called when the
     * endpoint stops getting the events of one account in order.
     */
    releaseAll: async (endpoint: WebhookEndpointKey, now: number): Promise<void> => {
      await database
        .updateTable('eventDeliveries')
        .set({ nextAt: now })
        .where('endpointId', '=', ownId(endpoint))
        .where('state', '=', 'pending')
        .where('nextAt', 'is', null)
        .execute();
    },

    /**
     * Makes the first pending delivery of each account to an endpoint due, if it waits for an earlier one. Retention
     * may have deleted that one, for example while the endpoint was disabled.
     */
    releaseFirst: async (endpoint: WebhookEndpointKey, now: number): Promise<void> => {
      await sql`update event_deliveries set next_at = ${now}
        where endpoint_id = ${ownId(endpoint)} and state = 'pending' and next_at is null
        and not exists (select 1 from event_deliveries as earlier
          where earlier.endpoint_id = event_deliveries.endpoint_id
          and earlier.account_id = event_deliveries.account_id
          and earlier.state = 'pending' and earlier.position < event_deliveries.position)`.execute(database);
    },
  };
};

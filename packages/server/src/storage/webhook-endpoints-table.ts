import { type ExpressionBuilder, sql } from 'kysely';
import { deletes, updates } from './affected-rows.js';
import { dialectOf } from './dialect.js';
import type { WebhookEndpointRow } from './event-rows.js';
import { PREPARED } from './prepared-statement.js';
import type { Database, Schema } from './schema.js';

export type WebhookEndpointKey = Pick<WebhookEndpointRow, 'applicationId' | 'id'>;

/** Webhook endpoint as it was when a delivery attempt began: its URL, and the time since which it was enabled. */
export type EnabledEndpoint = Pick<WebhookEndpointRow, 'applicationId' | 'id' | 'url' | 'enabledSince'>;

export type WebhookEndpointChange = Partial<Omit<WebhookEndpointRow, 'id' | 'applicationId' | 'createdAt'>>;

/**
 * Number of endpoints that are disabled for the same reason. `reason` is `null` if their applications disabled them.
 */
export interface DisabledCount {
  readonly reason: WebhookEndpointRow['disabledReason'];
  readonly count: number;
}

/** Webhook endpoint that the service has disabled or paused, or to which delivery attempts fail. */
export type TroubledEndpoint = Pick<
  WebhookEndpointRow,
  'applicationId' | 'id' | 'url' | 'disabledReason' | 'failingSince'
>;

/**
 * Event types that the application `owner` wants for one webhook endpoint or one waiting client (event lease). They
 * decide which events the service writes.
 */
export interface EventWish {
  readonly owner: string;
  readonly types: string;
  readonly enabled: number;
}

const isPostgres = (database: Database): boolean => dialectOf(database) === 'postgres';

const selectOrdered = (database: Database, ids: readonly string[]) =>
  database.selectFrom('webhookEndpoints').select(['id', 'ordered']).where('id', 'in', ids).orderBy('id');

const idsOfOrdered = (rows: readonly Pick<WebhookEndpointRow, 'id' | 'ordered'>[]): readonly string[] =>
  rows.flatMap(({ id, ordered }) => (ordered === 1 ? [id] : []));

/**
 * Returns an SQL condition that matches the rows of these endpoints. It need not compare application id and endpoint id
 * in pairs, because endpoint ids are unique over all applications.
 */
const isOneOf =
  (endpoints: readonly WebhookEndpointKey[]) =>
  ({ and, eb }: ExpressionBuilder<Schema, 'webhookEndpoints'>) =>
    and([
      eb('applicationId', 'in', [...new Set(endpoints.map(({ applicationId }) => applicationId))]),
      eb(
        'id',
        'in',
        endpoints.map(({ id }) => id),
      ),
    ]);

export const webhookEndpointsTable = (database: Database) => ({
  insert: async (row: WebhookEndpointRow): Promise<void> => {
    await database.insertInto('webhookEndpoints').values(row).execute();
  },

  find: (applicationId: string, id: string): Promise<WebhookEndpointRow | undefined> =>
    database
      .selectFrom('webhookEndpoints')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .executeTakeFirst(),

  /** Lists the webhook endpoints of an application, oldest first. */
  list: (
    applicationId: string,
    {
      after,
      limit,
    }: {
      readonly after?: Pick<WebhookEndpointRow, 'createdAt' | 'id'> | undefined;
      readonly limit: number;
    },
  ): Promise<WebhookEndpointRow[]> => {
    let select = database
      .selectFrom('webhookEndpoints')
      .selectAll()
      .where('applicationId', '=', applicationId);
    if (after !== undefined)
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '>', tuple(after.createdAt, after.id)),
      );
    return select.orderBy('createdAt').orderBy('id').limit(limit).execute();
  },

  /**
   * Lists webhook endpoints that the service has disabled or paused, and endpoints that have been failing since
   * `failingUntil` (milliseconds since 1970) or earlier. Reads all applications if `applicationId` is undefined.
   */
  troubled: ({
    applicationId,
    failingUntil,
    limit,
  }: {
    readonly applicationId: string | undefined;
    readonly failingUntil: number;
    readonly limit: number;
  }): Promise<TroubledEndpoint[]> => {
    let select = database
      .selectFrom('webhookEndpoints')
      .select(['applicationId', 'id', 'url', 'disabledReason', 'failingSince'])
      // Repeats the condition of the partial index word for word, so that the database can use the index.
      .where(sql<boolean>`(disabled_reason is not null or failing_since is not null)`)
      .where(({ eb, or }) =>
        or([eb('disabledReason', 'is not', null), eb('failingSince', '<=', failingUntil)]),
      );
    if (applicationId !== undefined) select = select.where('applicationId', '=', applicationId);
    return select.orderBy('applicationId').orderBy('id').limit(limit).execute();
  },

  /**
   * Lists the event types of the applications' webhook endpoints and of their unexpired leases. The application id is
   * called `owner`, because `refuseForeignRows` would refuse several `applicationId` values in one result.
   */
  wishes: async (applicationIds: readonly string[], now: number): Promise<readonly EventWish[]> => {
    const { rows } =
      await sql<EventWish>`select application_id as owner, types, enabled from webhook_endpoints
      where application_id in (${sql.join(applicationIds)})
      union all select application_id, '["' || type || '"]', 1 from event_leases
      where application_id in (${sql.join(applicationIds)}) and expires_at > ${now}
      ${applicationIds.length === 1 ? PREPARED : sql``}`.execute(database);
    return rows;
  },

  /** Lists all webhook endpoints of several applications, for creating deliveries of their events. */
  ofApplications: (applicationIds: readonly string[]): Promise<WebhookEndpointRow[]> =>
    database
      .selectFrom('webhookEndpoints')
      .selectAll()
      .where('applicationId', 'in', applicationIds)
      .execute(),

  change: (
    { applicationId, id }: WebhookEndpointKey,
    change: WebhookEndpointChange,
  ): Promise<WebhookEndpointRow | undefined> =>
    database
      .updateTable('webhookEndpoints')
      .set(change)
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  /**
   * Stores the time since which delivery attempts to endpoints fail (milliseconds since 1970). Endpoints that already
   * have such a time keep it.
   */
  markFailing: async (endpoints: readonly WebhookEndpointKey[], failingSince: number): Promise<void> => {
    await database
      .updateTable('webhookEndpoints')
      .set({ failingSince })
      .where(isOneOf(endpoints))
      .where('failingSince', 'is', null)
      .execute();
  },

  /** Clears the time since which delivery attempts to endpoints fail, because the last attempt succeeded. */
  markWorking: async (endpoints: readonly WebhookEndpointKey[]): Promise<void> => {
    await database
      .updateTable('webhookEndpoints')
      .set({ failingSince: null })
      .where(isOneOf(endpoints))
      .where('failingSince', 'is not', null)
      .execute();
  },

  /**
   * Disables a webhook endpoint. Returns false if it was already disabled, or if its URL was changed or it was enabled
   * again since `endpoint` was read. With `failingUntil` (milliseconds since 1970), disables it only if it has been
   * failing since that time or earlier.
   */
  disable: (
    { applicationId, id, url, enabledSince }: EnabledEndpoint,
    {
      failingUntil,
      ...change
    }: Pick<WebhookEndpointRow, 'disabledReason' | 'updatedAt'> & { readonly failingUntil?: number },
  ): Promise<boolean> => {
    let update = database
      .updateTable('webhookEndpoints')
      .set({ ...change, enabled: 0 })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('url', '=', url)
      .where('enabledSince', '=', enabledSince)
      .where('enabled', '=', 1);
    if (failingUntil !== undefined) update = update.where('failingSince', '<=', failingUntil);
    return updates(update);
  },

  /**
   * Pauses a webhook endpoint, because `secret` cannot be decrypted. Returns false if the endpoint was already paused
   * or disabled, or if its secret has been replaced.
   */
  pause: (
    { applicationId, id, secret }: Pick<WebhookEndpointRow, 'applicationId' | 'id' | 'secret'>,
    updatedAt: number,
  ): Promise<boolean> =>
    updates(
      database
        .updateTable('webhookEndpoints')
        .set({ disabledReason: 'secret_unreadable', failingSince: null, updatedAt })
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .where('secret', '=', secret)
        .where('enabled', '=', 1)
        .where('disabledReason', 'is', null),
    ),

  /** Counts up to `most` disabled endpoints of all applications, grouped by the reason why they are disabled. */
  countDisabled: async (most: number): Promise<readonly DisabledCount[]> => {
    const { rows } = await sql<DisabledCount>`select disabled_reason as reason, count(*) as count
      from (select disabled_reason from webhook_endpoints where enabled = 0 limit ${most}) as slice
      group by disabled_reason`.execute(database);
    return rows.map(({ reason, count }) => ({ reason, count: Number(count) }));
  },

  /**
   * Counts up to `most` paused endpoints of all applications. They are enabled, but their secrets cannot be decrypted.
   */
  countPaused: async (most: number): Promise<number> => {
    // Repeats the condition of the partial index word for word, so that the database can use the index.
    const { rows } = await sql<{ readonly count: number }>`select count(*) as count from (
        select 1 from webhook_endpoints where (disabled_reason is not null or failing_since is not null)
        and disabled_reason is not null and enabled = 1 limit ${most}
      ) as slice`.execute(database);
    return Number(rows[0]?.count ?? 0);
  },

  delete: ({ applicationId, id }: WebhookEndpointKey): Promise<boolean> =>
    deletes(
      database.deleteFrom('webhookEndpoints').where('applicationId', '=', applicationId).where('id', '=', id),
    ),

  /**
   * Locks webhook endpoints until the transaction ends, always in the same order, so that two instances never deadlock.
   */
  lock: async (endpoints: readonly WebhookEndpointKey[]): Promise<void> => {
    const select = database
      .selectFrom('webhookEndpoints')
      .select('id')
      .where(isOneOf(endpoints))
      .orderBy('id');
    await (isPostgres(database) ? select.forNoKeyUpdate() : select).execute();
  },

  /**
   * Locks webhook endpoints like `lock`, and also waits until transactions that called `share` have ended. Returns the
   * ids of those endpoints that get the events of one account in order.
   */
  lockAlone: async (ids: readonly string[]): Promise<readonly string[]> => {
    const select = selectOrdered(database, ids);
    return idsOfOrdered(await (isPostgres(database) ? select.forUpdate() : select).execute());
  },

  /**
   * Makes calls of `lockAlone` by other instances wait until this transaction ends. Calls of `share` and `lock` need
   * not wait. Returns the ids of those endpoints that get the events of one account in order.
   */
  share: async (ids: readonly string[]): Promise<readonly string[]> => {
    const select = selectOrdered(database, ids);
    return idsOfOrdered(await (isPostgres(database) ? select.forKeyShare() : select).execute());
  },

  /**
   * Locks and returns those of the webhook endpoints that are enabled and not paused. Skips endpoints that another
   * instance has locked.
   */
  lockFree: (ids: readonly string[]): Promise<WebhookEndpointRow[]> => {
    const select = database
      .selectFrom('webhookEndpoints')
      .selectAll()
      .where('id', 'in', ids)
      .where('enabled', '=', 1)
      .where('disabledReason', 'is', null)
      .orderBy('id');
    return (isPostgres(database) ? select.forNoKeyUpdate().skipLocked() : select).execute();
  },
});

import { deletes, inserts } from './affected-rows.js';
import type { Database } from './schema.js';
import type { WebhookReceiptRow, WebhookSubscriptionRow } from './subscription-rows.js';

export type SubscriptionKey = Pick<WebhookSubscriptionRow, 'applicationId' | 'id'>;
export type SubscriptionOwner = Pick<WebhookSubscriptionRow, 'applicationId' | 'accountId'>;

export interface SubscriptionPage {
  readonly after?: Pick<WebhookSubscriptionRow, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

export const webhookSubscriptionsTable = (database: Database) => {
  const selectOf = ({ applicationId, accountId }: SubscriptionOwner) =>
    database
      .selectFrom('webhookSubscriptions')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('accountId', '=', accountId);

  return {
    insert: async (row: WebhookSubscriptionRow): Promise<void> => {
      await database.insertInto('webhookSubscriptions').values(row).execute();
    },

    find: (owner: SubscriptionOwner, id: string): Promise<WebhookSubscriptionRow | undefined> =>
      selectOf(owner).where('id', '=', id).executeTakeFirst(),

    findByUpstreamId: (
      owner: SubscriptionOwner,
      upstreamId: string,
    ): Promise<WebhookSubscriptionRow | undefined> =>
      selectOf(owner).where('upstreamId', '=', upstreamId).limit(1).executeTakeFirst(),

    /**
     * Finds a subscription by the digest of the key in its webhook URL. The query has no application filter, because
     * the upstream that calls the URL names no application.
     */
    findByKey: (keyDigest: string): Promise<WebhookSubscriptionRow | undefined> =>
      database
        .selectFrom('webhookSubscriptions')
        .selectAll()
        .where('keyDigest', '=', keyDigest)
        .executeTakeFirst(),

    /** Lists the webhook subscriptions of an account, oldest first. */
    list: (
      owner: SubscriptionOwner,
      { after, limit }: SubscriptionPage,
    ): Promise<WebhookSubscriptionRow[]> => {
      let select = selectOf(owner);
      if (after !== undefined)
        select = select.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('createdAt', 'id'), '>', tuple(after.createdAt, after.id)),
        );
      return select.orderBy('createdAt').orderBy('id').limit(limit).execute();
    },

    /** Stores the id that the upstream gave the subscription. */
    confirm: async ({ applicationId, id }: SubscriptionKey, upstreamId: string): Promise<void> => {
      await database
        .updateTable('webhookSubscriptions')
        .set({ upstreamId })
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .execute();
    },

    delete: ({ applicationId, id }: SubscriptionKey): Promise<boolean> =>
      deletes(
        database
          .deleteFrom('webhookSubscriptions')
          .where('applicationId', '=', applicationId)
          .where('id', '=', id),
      ),

    /**
     * Stores a receipt of a payload that arrived for a subscription. Returns false if there is already a receipt with
     * the same digest.
     */
    addReceipt: async (receipt: WebhookReceiptRow): Promise<boolean> => {
      const isNew = await inserts(
        database
          .insertInto('webhookReceipts')
          .values(receipt)
          .onConflict((conflict) => conflict.doNothing()),
      );
      if (isNew)
        await database
          .updateTable('webhookSubscriptions')
          .set({ receivedAt: receipt.at })
          .where('applicationId', '=', receipt.applicationId)
          .where('id', '=', receipt.subscriptionId)
          .execute();
      return isNew;
    },
  };
};

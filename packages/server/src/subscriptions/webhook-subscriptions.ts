import type { Catalog } from '@svc/catalog';
import { webhookUrlOf } from '../connections/connection.js';
import { type AccountName, findAccount, findAccountByName } from '../connections/find-account.js';
import { ServiceError, wrongField } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import type { Commit } from '../records/commit.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';
import type { WebhookSubscriptionRow } from '../storage/subscription-rows.js';
import type { Execute } from '../tools/execute.js';
import type { ExecuteRequest } from '../tools/execute-request.js';
import {
  isGone,
  ownerOf,
  readUpstreamId,
  toDeleteInput,
  toSubscription,
  type WebhookSubscription,
  webhooksOf,
} from './webhook-subscription.js';

/** Reference to a connected account: its id, or its connection name, user identifier and label. */
export type AccountReference = { readonly id: string } | AccountName;

/**
 * Values that an API route passes on to a tool call: `requestId`, the id of the HTTP request, and `onAccount`, which is
 * called with the connected account before the tool runs.
 */
export type ToolCallOfRequest = Pick<ExecuteRequest, 'requestId' | 'onAccount'>;

export interface NewSubscription {
  readonly trigger: string;
}

export interface WebhookSubscriptionsParts {
  readonly catalog: Pick<Catalog, 'connectors' | 'selectVersion' | 'tools'>;
  readonly storage: Pick<Storage, 'accounts' | 'connections' | 'webhookSubscriptions'>;
  readonly commit: Commit;
  readonly execute: Execute;
  readonly environmentUrl: string;
}

const subscriptionNotFound = (id: string) =>
  new ServiceError(
    'not_found',
    `The account has no webhook subscription "${id}". GET /v1/accounts/{id}/webhooks lists the subscriptions of the account.`,
  );

const withoutId = () =>
  new ServiceError(
    'upstream_failed',
    'The upstream did not return the id of the new subscription. Delete the new webhook at the upstream and the subscription with the state "unconfirmed" in this service, then retry.',
  );

/**
 * Creates the operations on an account's webhook subscriptions. They call the connector's tools that create and delete
 * subscriptions at the upstream.
 */
export function createWebhookSubscriptions(parts: WebhookSubscriptionsParts) {
  const { catalog, storage, commit, execute, environmentUrl } = parts;

  const findOwner = (applicationId: string, account: AccountReference): Promise<StoredAccount> =>
    'id' in account
      ? findAccount(storage, applicationId, account.id)
      : findAccountByName(storage, applicationId, account);

  async function remove({ applicationId, id, trigger }: WebhookSubscriptionRow): Promise<void> {
    await commit(async (tables, audit) => {
      if (await tables.webhookSubscriptions.delete({ applicationId, id }))
        audit({ action: 'webhook_subscription.deleted', applicationId, object: id, reason: trigger });
    });
  }

  return {
    /**
     * Subscribes an account to one kind of webhook (`trigger`) of its upstream. Throws the errors of the tool that
     * creates subscriptions.
     */
    create: async (
      applicationId: string,
      reference: AccountReference,
      { trigger }: NewSubscription,
      call: ToolCallOfRequest,
    ): Promise<WebhookSubscription> => {
      const { id, connectionId, connector } = await findOwner(applicationId, reference);
      const webhooks = webhooksOf(catalog.connectors, connector);
      const { create, triggers } = webhooks;
      if (!Object.hasOwn(triggers, trigger))
        throw wrongField(
          'trigger',
          `The trigger is unknown. Use one of ${Object.keys(triggers).join(', ')}.`,
        );
      const url = webhookUrlOf(environmentUrl, connectionId);
      const { data } = await execute({
        ...call,
        applicationId,
        connectedAccountId: id,
        toolName: create.tool,
        toolInput: { [create.trigger]: trigger, [create.url]: url },
      });
      const upstreamId = readUpstreamId(webhooks, data);
      const owner = ownerOf({ applicationId, id });
      const row =
        upstreamId === undefined
          ? undefined
          : await storage.webhookSubscriptions.findByUpstreamId(owner, upstreamId);
      if (row === undefined) throw withoutId();
      return toSubscription(row, connector);
    },

    /** Lists the webhook subscriptions of an account, oldest first. */
    list: async (
      applicationId: string,
      reference: AccountReference,
      page: PageRequest,
    ): Promise<Page<WebhookSubscription>> => {
      const { id, connector } = await findOwner(applicationId, reference);
      const cursor = readCursor(page);
      const rows = await storage.webhookSubscriptions.list(ownerOf({ applicationId, id }), {
        after: cursor && { createdAt: cursor.at, id: cursor.id },
        limit: pageSizeOf(page) + 1,
      });
      return toPage(rows, page, {
        keys: (row) => [String(row.createdAt), row.id],
        item: (row) => toSubscription(row, connector),
      });
    },

    /**
     * Deletes a webhook subscription, at the upstream too unless it is unconfirmed. Throws the errors of the tool that
     * deletes subscriptions.
     */
    delete: async (
      applicationId: string,
      reference: AccountReference,
      subscriptionId: string,
      call: ToolCallOfRequest,
    ): Promise<void> => {
      const { id, connector } = await findOwner(applicationId, reference);
      const row = await storage.webhookSubscriptions.find(ownerOf({ applicationId, id }), subscriptionId);
      if (row === undefined) throw subscriptionNotFound(subscriptionId);
      if (row.upstreamId === null) return remove(row);
      const webhooks = webhooksOf(catalog.connectors, connector);
      try {
        await execute({
          ...call,
          applicationId,
          connectedAccountId: id,
          toolName: webhooks.delete.tool,
          toolInput: toDeleteInput(catalog, webhooks, row.upstreamId),
        });
      } catch (error) {
        if (!isGone(error)) throw error;
      }
      return remove(row);
    },
  };
}

export type WebhookSubscriptions = ReturnType<typeof createWebhookSubscriptions>;

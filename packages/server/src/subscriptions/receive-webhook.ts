import type { Catalog } from '@svc/catalog';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { namesOf } from '../events/describe-change.js';
import { payloadLocation } from '../events/event-payload.js';
import { toEventRow } from '../events/event-row.js';
import type { ServiceEvents } from '../events/service-events.js';
import { upstreamEventType } from '../names/event-types.js';
import { secret } from '../secret.js';
import type { Storage } from '../storage/storage.js';
import type { WebhookSubscriptionRow } from '../storage/subscription-rows.js';
import { readPointer } from '../text/json-pointer.js';
import { newId, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import type { Vault } from '../vault/vault.js';
import { digestOfKey, isSubscriptionKey } from './subscription-key.js';

export interface ReceiveWebhookParts {
  readonly catalog: Pick<Catalog, 'connectors'>;
  readonly storage: Pick<Storage, 'accounts' | 'transaction' | 'webhookEndpoints' | 'webhookSubscriptions'>;
  readonly serviceEvents: Pick<ServiceEvents, 'isWanted' | 'notify'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

/**
 * Webhook subscription with its connector, and with the identifier and label of its account. The event about a received
 * webhook contains all of them.
 */
export interface NamedSubscription extends WebhookSubscriptionRow {
  readonly connector: string;
  readonly connectionName: string;
  readonly identifier: string;
  readonly account: string;
}

/** Maximum number of keys of deleted subscriptions in memory. */
const MAX_ENDED = 10_000;
/** Time in milliseconds for which the key of a deleted subscription stays in memory. */
const ENDED_MS = 60_000;

/** JSON body of a received webhook: the text, and the parsed value. */
export interface Payload {
  readonly text: string;
  readonly value: object;
}

/**
 * Creates the functions that handle webhooks from upstreams: one finds the subscription, the other stores the event.
 */
export function createReceiveWebhook(parts: ReceiveWebhookParts) {
  const { catalog, storage, serviceEvents, vault, digest, now, random } = parts;
  // Digests of keys whose subscription was deleted. A deleted subscription never returns, so webhooks with these keys
  // need no database query. No rate limit stops such webhooks.
  const ended = new LRUCache<string, true>({ ...entryLimit(MAX_ENDED), ttl: ENDED_MS });

  /**
   * Returns a digest by which a repeated webhook is recognized: of the delivery id in the body, or of the whole body.
   */
  function digestOfDelivery({ connector }: NamedSubscription, { text, value }: Payload): string {
    const pointer = catalog.connectors.get(connector)?.webhooks?.deliveryId;
    const id = pointer === undefined ? undefined : readPointer(value, pointer);
    const isId = typeof id === 'string' || typeof id === 'number';
    return isId ? digest('id of a webhook', String(id)) : digest('body of a webhook', text);
  }

  function describe(subscription: NamedSubscription) {
    const { applicationId, accountId, connector, connectionName, id: subscriptionId, trigger } = subscription;
    return {
      applicationId,
      accountId,
      connectionName,
      type: upstreamEventType(connector, trigger),
      at: now(),
      data: { ...namesOf(accountId, subscription), subscriptionId, trigger, payload: null },
    };
  }

  /**
   * True for a key that this service created for the connection, even if its subscription was deleted. A webhook with
   * such a key does not count as a guess.
   */
  const isOurs = (connectionId: string, key: string): boolean => isSubscriptionKey(digest, connectionId, key);

  return {
    isOurs,

    /** Finds the subscription whose webhook URL contains this connection id and key; `undefined` if there is none. */
    find: async (connectionId: string, key: string): Promise<NamedSubscription | undefined> => {
      const keyDigest = digestOfKey(digest, key);
      if (ended.has(keyDigest)) return undefined;
      const row = await storage.webhookSubscriptions.findByKey(keyDigest);
      if (row === undefined && isOurs(connectionId, key)) ended.set(keyDigest, true);
      if (row?.connectionId !== connectionId) return undefined;
      const owner = await storage.accounts.find(row.applicationId, row.accountId);
      if (owner === undefined) return undefined;
      const { connector, connectionName, identifier, account } = owner;
      return { ...row, connector, connectionName, identifier, account };
    },

    /**
     * Stores a received webhook as an event. Does nothing if no endpoint wants the event type, or if this is a repeated
     * webhook. The upstream gets its response only afterwards. If this process crashes before, the upstream therefore
     * sends the webhook again.
     */
    receive: async (subscription: NamedSubscription, payload: Payload): Promise<void> => {
      const { applicationId, id: subscriptionId } = subscription;
      const draft = describe(subscription);
      if (!(await serviceEvents.isWanted(storage, applicationId, draft.type))) return;
      const id = newId('evt', random);
      const sealed = await vault.seal(payloadLocation({ applicationId, id }), secret(payload.text));
      const receipt = {
        applicationId,
        subscriptionId,
        digest: digestOfDelivery(subscription, payload),
        at: draft.at,
      };
      const isNew = await storage.transaction(async ({ events, webhookSubscriptions }) => {
        if (!(await webhookSubscriptions.addReceipt(receipt))) return false;
        await events.insert([toEventRow(draft, { id, payload: sealed })]);
        return true;
      });
      if (isNew) serviceEvents.notify();
    },
  };
}

export type ReceiveWebhook = ReturnType<typeof createReceiveWebhook>;

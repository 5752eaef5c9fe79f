import type { Connector, Webhooks } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { upstreamEventType } from '../names/event-types.js';
import type { WebhookSubscriptionRow } from '../storage/subscription-rows.js';
import { isoTime } from '../text/iso-time.js';
import { readPointer } from '../text/json-pointer.js';

/** Subscription in the form of the API, without the key of its address. */
export interface WebhookSubscription {
  readonly id: string;
  readonly accountId: string;
  readonly trigger: string;
  /** Type of the events that the subscription causes. */
  readonly type: string;
  /** `unconfirmed`: no response of the upstream says that the subscription exists. */
  readonly state: 'active' | 'unconfirmed';
  /** Id of the subscription at the upstream. Absent while it is unconfirmed. */
  readonly upstreamId?: string;
  readonly createdAt: string;
  /** Time of the last payload. Absent before the first. */
  readonly receivedAt?: string;
}

/** Account whose subscriptions an operation reads or changes. */
export interface SubscribedAccount {
  readonly applicationId: string;
  readonly id: string;
  readonly connector: string;
}

export const ownerOf = ({ applicationId, id }: Pick<SubscribedAccount, 'applicationId' | 'id'>) => ({
  applicationId,
  accountId: id,
});

/** Maximum number of subscriptions of an account. */
export const MOST_SUBSCRIPTIONS = 100;

export function toSubscription(row: WebhookSubscriptionRow, connector: string): WebhookSubscription {
  const { id, accountId, trigger, upstreamId, createdAt, receivedAt } = row;
  return {
    id,
    accountId,
    trigger,
    type: upstreamEventType(connector, trigger),
    state: upstreamId === null ? 'unconfirmed' : 'active',
    ...(upstreamId !== null && { upstreamId }),
    createdAt: isoTime(createdAt),
    ...(receivedAt !== null && { receivedAt: isoTime(receivedAt) }),
  };
}

/** Returns the webhooks of a connector. Throws invalid_request for a connector without webhooks. */
export function webhooksOf(connectors: ReadonlyMap<string, Connector>, connector: string): Webhooks {
  const webhooks = connectors.get(connector)?.webhooks;
  if (webhooks) return webhooks;
  throw new ServiceError(
    'invalid_request',
    `The connector "${connector}" has no webhooks. GET /v1/connections shows a webhookUrl for connections that have them.`,
  );
}

/** Finds the id of a subscription in the data of the tool that created it. */
export function readUpstreamId({ create }: Webhooks, data: unknown): string | undefined {
  const id = readPointer(data, create.id);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

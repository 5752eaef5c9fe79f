import type { Catalog, Connector, Tool, ToolVersion, Webhooks } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { upstreamEventType } from '../names/event-types.js';
import type { WebhookSubscriptionRow } from '../storage/subscription-rows.js';
import { isoTime } from '../text/iso-time.js';
import { readPointer } from '../text/json-pointer.js';

/**
 * Webhook subscription of an account, as the API returns it. The secret key in the subscription's webhook URL is left
 * out.
 */
export interface WebhookSubscription {
  readonly id: string;
  readonly accountId: string;
  readonly trigger: string;
  /** Type of the events that the service creates from the webhooks of this subscription. */
  readonly type: string;
  /**
   * `unconfirmed`: the upstream may not know the subscription, because no response of it has contained the
   * subscription's id yet.
   */
  readonly state: 'active' | 'unconfirmed';
  /** Id that the upstream gave the subscription. Absent while the subscription is unconfirmed. */
  readonly upstreamId?: string;
  readonly createdAt: string;
  /** Time of the last webhook that the service received for this subscription, in ISO 8601. Absent before the first. */
  readonly receivedAt?: string;
}

/** Connected account whose webhook subscriptions an operation reads or changes. */
export interface SubscribedAccount {
  readonly applicationId: string;
  readonly id: string;
  readonly connector: string;
}

export const ownerOf = ({ applicationId, id }: Pick<SubscribedAccount, 'applicationId' | 'id'>) => ({
  applicationId,
  accountId: id,
});

/** Returns true if the upstream no longer has the webhook that a tool call was to delete. */
export const isGone = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.code === 'upstream_failed' &&
  [404, 410].includes(Number(error.details?.['status']));

/** Maximum number of webhook subscriptions per connected account. */
export const MAX_SUBSCRIPTIONS = 100;

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

/** Returns the webhook definition of a connector. Throws invalid_request for a connector that defines no webhooks. */
export function webhooksOf(connectors: ReadonlyMap<string, Connector>, connector: string): Webhooks {
  const webhooks = connectors.get(connector)?.webhooks;
  if (webhooks) return webhooks;
  throw new ServiceError(
    'invalid_request',
    `The connector "${connector}" has no webhooks. Use a connection for which GET /v1/connections shows a "webhookUrl".`,
  );
}

/** Returns the upstream's subscription id from `data`, the result of the tool that created the subscription. */
export function readUpstreamId({ create }: Webhooks, data: unknown): string | undefined {
  const id = readPointer(data, create.id);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Part of the catalogue that reads the inputs of tools. */
interface ToolInputs extends Pick<Catalog, 'tools'> {
  readonly selectVersion: (tool: Tool) => Pick<ToolVersion, 'input'>;
}

/**
 * Returns the input for the tool that deletes a subscription. Converts the id to a number if the tool accepts no text,
 * because the database contains every id as text.
 */
export function toDeleteInput(
  { tools, selectVersion }: ToolInputs,
  { delete: { tool: toolName, id } }: Webhooks,
  upstreamId: string,
): Readonly<Record<string, string | number>> {
  const tool = tools.get(toolName);
  const types = [tool && selectVersion(tool).input.properties?.[id]?.type].flat();
  const isNumber = !types.includes('string') && (types.includes('integer') || types.includes('number'));
  return { [id]: isNumber ? Number(upstreamId) : upstreamId };
}

import type { OwnEvent } from './generated/event-types.js';
import type { WebhookPayloads } from './tool.js';

/** Data of an event that an upstream sent by a webhook. */
export interface UpstreamEventData<Payload> {
  /** Id of the connected account whose subscription got the payload. */
  accountId: string;
  /** Name of the connection. */
  connectionName: string;
  /** Identifier of the user who owns the account. */
  identifier: string;
  /** Label of the account. Absent if it has none. */
  account?: string;
  /** Id of the subscription. */
  subscriptionId: string;
  /** Name of the trigger at the upstream. */
  trigger: string;
  /**
   * Payload as the upstream sent it. The service does not validate payloads. `null` in a delivery after the account was
   * deleted, because its payloads are erased with it.
   */
  payload: Payload | null;
  /** True if `payload` is `null` because the service cannot decrypt it: its data key is lost. */
  unreadable?: true;
}

/** Event that an upstream sent by a webhook. Its type is the id of the connector, a dot, and the trigger. */
export interface UpstreamEvent<Type extends string, Payload> {
  /** Id of the event, the same in each attempt to deliver it. */
  id: string;
  type: Type;
  /** Time at which the service received the webhook, in ISO 8601. */
  timestamp: string;
  data: UpstreamEventData<Payload>;
}

type UpstreamEvents = {
  [Type in keyof WebhookPayloads & string]: UpstreamEvent<Type, WebhookPayloads[Type]>;
};

/**
 * Event for the application. `type` determines the form of `data`. An import of a connector package adds the events of
 * its upstream's webhooks.
 */
export type ServiceEvent = OwnEvent | UpstreamEvents[keyof UpstreamEvents];

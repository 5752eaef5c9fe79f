import type { Generated } from 'kysely';
import type { StoredReason } from '../names/endpoint-reasons.js';
import type { AnyEventType } from '../names/event-types.js';

/** Webhook endpoint: a URL of an application to which the service sends events as signed HTTP requests. */
export interface WebhookEndpointRow {
  id: string;
  applicationId: string;
  url: string;
  description: string | null;
  /** JSON array of the event types that the service sends to the endpoint. */
  types: string;
  /**
   * 1 for an ordered endpoint: it gets the events of one account in order, each after the delivery before it has ended.
   * Otherwise 0.
   */
  ordered: number;
  enabled: number;
  /** Time when the endpoint was last enabled. Earlier events are not sent to the endpoint. */
  enabledSince: number;
  /**
   * Reason why the service disabled or paused the endpoint; otherwise `null`. An endpoint whose signing secret cannot
   * be decrypted (`secret_unreadable`) is paused: it stays enabled and gets deliveries, and none of them is attempted.
   */
  disabledReason: StoredReason | null;
  /** Encrypted secret that signs all deliveries. */
  secret: string;
  /** Encrypted secret before the last rotation. Deliveries are signed with both secrets until `previousSecretUntil`. */
  previousSecret: string | null;
  previousSecretUntil: number | null;
  /** Time of the first failed delivery attempt since the last successful one; `null` if the last attempt succeeded. */
  failingSince: number | null;
  createdAt: number;
  updatedAt: number;
}

/** Event: a change or failure that the service reports to the application. */
export interface EventRow {
  /** Sequence number of the event in the order of insertion. */
  seq: Generated<number>;
  applicationId: string;
  id: string;
  type: AnyEventType;
  at: number;
  /**
   * Position of the event in the order of commits; `null` until the service has created the deliveries of the event.
   */
  position: number | null;
  accountId: string | null;
  connectionName: string | null;
  /**
   * JSON text of the event, which is signed and sent byte for byte. If the event has an encrypted payload, the service
   * first adds the decrypted payload to the text.
   */
  body: string;
  /**
   * Encrypted JSON text of data from an upstream: the payload of a webhook, or the item of a watched list. `null` if
   * the event has no such data, or if its account was deleted.
   */
  payload: string | null;
}

/**
 * Lease of an event type. Until it expires, the service writes events of this type for the application, because a
 * client waits for them.
 */
export interface EventLeaseRow {
  applicationId: string;
  type: AnyEventType;
  expiresAt: number;
}

export type DeliveryState = 'pending' | 'succeeded' | 'failed';

/** Delivery of one event to one webhook endpoint, with its latest attempts. */
export interface EventDeliveryRow {
  id: string;
  applicationId: string;
  endpointId: string;
  eventId: string;
  /**
   * Position of the event in the order of commits. Endpoints with `ordered` get the deliveries of an account in this
   * order.
   */
  position: number;
  type: AnyEventType;
  /** Id of the account that the event concerns; `null` if the event concerns no account. */
  accountId: string | null;
  state: DeliveryState;
  /** Number of attempts since the delivery was created or last resent. */
  attempts: number;
  /**
   * Time of the next attempt to send the delivery, or the end of the claim (lease) while an instance sends it. `null`
   * if the delivery has ended or waits for an earlier delivery of the same account.
   */
  nextAt: number | null;
  /**
   * Random id of the claim: the lease by which only one instance sends the delivery. `null` while no instance sends it.
   */
  claim: string | null;
  /** JSON array of the latest attempts to send the delivery, oldest first. */
  log: string;
  createdAt: number;
  endedAt: number | null;
}

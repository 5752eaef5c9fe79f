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
  /** Name of the connection to whose events the endpoint is limited. `null` if it gets the events of all connections. */
  connectionName: string | null;
  /**
   * 1 for an ordered endpoint, which gets the events of one account in order: each delivery waits until the one before
   * it has ended. Otherwise 0.
   */
  ordered: number;
  enabled: number;
  /** Time when the endpoint was last enabled, in milliseconds since 1970. The endpoint does not get earlier events. */
  enabledSince: number;
  /**
   * Reason why the service disabled or paused the endpoint; otherwise `null`. An endpoint whose signing secret cannot
   * be decrypted (`secret_unreadable`) is paused: it stays enabled and deliveries to it are created, but none is
   * attempted.
   */
  disabledReason: StoredReason | null;
  /** Encrypted secret that signs all deliveries. */
  secret: string;
  /**
   * Encrypted signing secret before the last rotation. Until `previousSecretUntil`, deliveries are signed with both
   * secrets.
   */
  previousSecret: string | null;
  previousSecretUntil: number | null;
  /**
   * Time of the first failed delivery attempt since the last successful one, in milliseconds since 1970. `null` if the
   * last attempt succeeded.
   */
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
  /** Position of the event in the order of commits. `null` until the service has created the event's deliveries. */
  position: number | null;
  accountId: string | null;
  connectionName: string | null;
  /**
   * JSON text of the event, which is signed and sent byte for byte. If the event has an encrypted payload, the service
   * first inserts the decrypted payload into the text.
   */
  body: string;
  /**
   * Encrypted JSON text with data from an upstream: the payload of a webhook, or the item of a watched list. `null` if
   * the event has no such data, or if its account was deleted.
   */
  payload: string | null;
}

/**
 * Lease of an event type. Until it expires, the service writes events of this type for the application, because one of
 * its clients waits for them.
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
   * Position of the event in the order of commits. An endpoint with `ordered` gets an account's deliveries in this
   * order.
   */
  position: number;
  type: AnyEventType;
  /** Id of the account that the event is about. `null` if it is about no account. */
  accountId: string | null;
  state: DeliveryState;
  /** Number of attempts since the delivery was created or last resent. */
  attempts: number;
  /**
   * Time of the next attempt, or the end of the claim (lease) while an instance sends the delivery, in milliseconds
   * since 1970. `null` if the delivery has ended or waits for an earlier delivery of the same account.
   */
  nextAt: number | null;
  /**
   * Random id of the claim, the lease by which only one instance sends the delivery. `null` if no instance is sending
   * it.
   */
  claim: string | null;
  /** JSON array of the latest attempts to send the delivery, oldest first. */
  log: string;
  createdAt: number;
  endedAt: number | null;
}

import type { Generated } from 'kysely';
import type { AnyEventType } from '../names/event-types.js';

/** URL of an application that gets events as signed HTTP requests. */
export interface WebhookEndpointRow {
  id: string;
  applicationId: string;
  url: string;
  description: string | null;
  /** JSON array of the event types that the endpoint gets. */
  types: string;
  /** 1 if the events of one account are delivered one after another, in their order. */
  ordered: number;
  enabled: number;
  /** Time when the endpoint was enabled the last time. It gets no event from before that time. */
  enabledSince: number;
  /** Reason why the service disabled the endpoint; `null` if it did not. */
  disabledReason: 'gone' | 'failing' | null;
  /** Encrypted secret that signs all deliveries. */
  secret: string;
  /** Encrypted secret before the last rotation, which signs too until `previousSecretUntil`. */
  previousSecret: string | null;
  previousSecretUntil: number | null;
  /** Time of the first failed attempt since the last successful one; `null` if the last attempt succeeded. */
  failingSince: number | null;
  createdAt: number;
  updatedAt: number;
}

/** Change or failure that the service reports to the application. */
export interface EventRow {
  /** Number of the row in the order of insertion. */
  seq: Generated<number>;
  applicationId: string;
  id: string;
  type: AnyEventType;
  at: number;
  /** Number in the order of commits; `null` until the fan-out has created the deliveries of the event. */
  position: number | null;
  accountId: string | null;
  connectionName: string | null;
  /** JSON text that is signed and sent, byte for byte. An encrypted payload is added to it first. */
  body: string;
  /**
   * Encrypted JSON text of data from an upstream: the payload of a webhook, or the item of a watched list. `null` if the
   * event has none, or if it was erased with its account.
   */
  payload: string | null;
}

/** Event type that the service writes for an application until a time, because a reader waits for new events. */
export interface EventLeaseRow {
  applicationId: string;
  type: AnyEventType;
  expiresAt: number;
}

export type DeliveryState = 'pending' | 'succeeded' | 'failed';

/** Delivery of one event to one endpoint, with all of its attempts. */
export interface EventDeliveryRow {
  id: string;
  applicationId: string;
  endpointId: string;
  eventId: string;
  /** Position of the event. */
  position: number;
  type: AnyEventType;
  /** Account that the event is about; `null` if it is about none. */
  accountId: string | null;
  state: DeliveryState;
  /** Number of attempts of the current schedule. A resend starts the schedule again. */
  attempts: number;
  /**
   * Time of the next attempt, or the end of the lease while an instance sends; `null` after the end, and while an
   * earlier delivery of the account must end first.
   */
  nextAt: number | null;
  /** Random id of the instance's claim while it sends; `null` otherwise. */
  claim: string | null;
  /** JSON array of the latest attempts, oldest first. */
  log: string;
  createdAt: number;
  endedAt: number | null;
}

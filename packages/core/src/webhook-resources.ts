import type { PageQuery } from './resources.js';
import type { ServiceEvent } from './service-event.js';

/** Type of an event, such as `account.authorized`. */
export type EventType = ServiceEvent['type'];

/** Input of a new subscription. */
export interface NewWebhookSubscription {
  /** Trigger of the upstream, such as `conversation_processed`. */
  trigger: string;
}

/** Subscription of an account to a trigger of its upstream's webhooks. */
export interface WebhookSubscription {
  id: string;
  accountId: string;
  trigger: string;
  /** Type of the events that the subscription causes. */
  type: string;
  /** `unconfirmed`: the upstream did not say whether the subscription exists. */
  state: 'active' | 'unconfirmed' | (string & {});
  /** Id of the subscription at the upstream. Absent while it is unconfirmed. */
  upstreamId?: string;
  /** Time of the creation, in ISO 8601. */
  createdAt: string;
  /** Time of the last payload whose type an endpoint wants. Absent before the first. */
  receivedAt?: string;
}

/** Settings of a webhook endpoint. Absent settings of a change stay as they are. */
export interface WebhookEndpointSettings {
  /** https URL on port 443, unless an operator has allowed its origin. */
  url?: string | undefined;
  /** Types of the events that the endpoint gets. */
  types?: readonly EventType[] | undefined;
  /** Name of the connection whose events the endpoint gets. `null`: it gets the events of all connections. */
  connectionName?: string | null | undefined;
  /** Text for people, at most 256 characters. */
  description?: string | undefined;
  /** True to deliver the events of one account one after another, in their order. Default: false. */
  ordered?: boolean | undefined;
  /** False to stop deliveries. Default: true. */
  enabled?: boolean | undefined;
}

/** Settings of a new webhook endpoint. */
export interface NewWebhookEndpoint extends WebhookEndpointSettings {
  url: string;
  types: readonly EventType[];
}

/** URL of the application that gets events as signed requests. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  types: EventType[];
  /** Name of the connection whose events the endpoint gets. Absent: it gets the events of all connections. */
  connectionName?: string;
  description?: string;
  ordered: boolean;
  enabled: boolean;
  /** Reason why the service disabled the endpoint: it responded with 410, or all attempts failed for five days. */
  disabledReason?: 'gone' | 'failing' | (string & {});
  /**
   * Reason why the service paused the endpoint: it cannot decrypt the signing secret. Deliveries continue after
   * `webhookEndpoints.rotateSecret`.
   */
  pausedReason?: 'secret_unreadable' | (string & {});
  /** Time of the first failed attempt since the last successful one. Absent if the last attempt succeeded. */
  failingSince?: string;
  /** Time until which the previous secret signs too. */
  previousSecretExpiresAt?: string;
  /** Time of the creation, in ISO 8601. */
  createdAt: string;
  /** Time of the last change, in ISO 8601. */
  updatedAt: string;
  /** Version of the settings except `enabled`, for the option `ifMatch` of `webhookEndpoints.update`. */
  etag: string;
}

/** Webhook endpoint with its signing secret, which is shown only at its creation and rotation. */
export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  /** Secret for `verifyWebhook`, which begins with `whsec_`. */
  secret: string;
}

/** Filters for events. The list is sorted by time, oldest first. */
export type EventQuery = PageQuery & {
  /** Id of an event. Only later events are listed. `latest`: only events after this request. */
  after?: string | undefined;
  /** Types of the listed events, separated by commas. */
  types?: string | undefined;
  /** Name of the connection that the events are about. */
  connectionName?: string | undefined;
  /**
   * Maximum number of seconds, 0 to 30, to wait if there is no event. Each page then has a token, so that `each` never
   * ends. The service also writes events that no webhook endpoint wants, until a minute after the response.
   */
  wait?: number | undefined;
};

/** Delivery of one event to one webhook endpoint. */
export interface Delivery {
  id: string;
  endpointId: string;
  eventId: string;
  type: EventType;
  /** Account that the event is about. */
  accountId?: string;
  /** `pending`: more attempts follow. `failed`: the last attempt failed. */
  state: 'pending' | 'succeeded' | 'failed' | (string & {});
  /** Number of attempts since the last resend. */
  attemptCount: number;
  /** Time of the next attempt. Absent after the end, and while an earlier delivery of the account must end first. */
  nextAttemptAt?: string;
  /** Time of the creation, in ISO 8601. */
  createdAt: string;
  /** Time of the last attempt, in ISO 8601. Absent while the delivery is pending. */
  endedAt?: string;
}

/** Attempt to send a delivery. */
export interface DeliveryAttempt {
  /** Time of the attempt, in ISO 8601. */
  at: string;
  /** Milliseconds until the response or the failure. */
  durationMs: number;
  /** HTTP status of the response. Absent without a response. */
  status?: number;
  /** Reason why there was no response, such as `upstream_timeout`. */
  failure?: string;
  /** Beginning of the response body. */
  response?: string;
}

/** Delivery with its latest attempts. */
export interface DeliveryDetails extends Delivery {
  /** The latest attempts, oldest first. */
  attempts: DeliveryAttempt[];
}

/** Filters and order for a list of deliveries. */
export type DeliveryQuery = PageQuery & {
  endpointId?: string | undefined;
  eventId?: string | undefined;
  type?: EventType | undefined;
  state?: 'pending' | 'succeeded' | 'failed' | undefined;
  accountId?: string | undefined;
  /** Deliveries that are listed first. Default: `newest`. */
  order?: 'newest' | 'oldest' | undefined;
};

import type {
  Approval,
  ApprovalQuery,
  Decision,
  Execution,
  ExecutionQuery,
  ExecutionTimeline,
} from './call-resources.js';
import type { Client } from './client.js';
import type {
  AccountQuery,
  AccountReference,
  ConnectedAccount,
  Connection,
  ConnectionSettings,
  ListPage,
  NewConnection,
  PageQuery,
  RevokedAccount,
  Verification,
  VerifiedAccount,
} from './resources.js';
import type { ServiceEvent } from './service-event.js';
import type { ListedToken } from './token-limits.js';
import type { CallOptions, Limit } from './tool.js';
import type { WaitOptions } from './wait-until-authorized.js';
import type { Watch, WatchQuery, WatchSettings } from './watch.js';
import type {
  Delivery,
  DeliveryDetails,
  DeliveryQuery,
  EventQuery,
  NewWebhookEndpoint,
  NewWebhookSubscription,
  WebhookEndpoint,
  WebhookEndpointSettings,
  WebhookEndpointWithSecret,
  WebhookSubscription,
} from './webhook-resources.js';

/**
 * Function that returns one page of a list. Its method `pages` iterates over all pages, and `each` over the items of
 * all pages.
 */
export interface List<Item, Query extends unknown[] = [query?: PageQuery]> {
  (...args: [...Query, options?: CallOptions]): Promise<ListPage<Item>>;
  /**
   * Iterates over the items of all pages, or over the first `limit` items. Each page is fetched when its first item is
   * requested.
   */
  each(...args: [...Query, options?: CallOptions & Limit]): AsyncIterable<Item>;
  /** Iterates over all pages. Each page is fetched when it is requested. */
  pages(...args: [...Query, options?: CallOptions]): AsyncIterable<ListPage<Item>>;
}

/** Options of a change. */
export interface UpdateOptions extends CallOptions {
  /**
   * `etag` of the object that the application has read. The change fails with `conflict` if somebody has changed the
   * object since: `details.changedBy` and `details.changedAt` say who and when. Default: no condition.
   */
  ifMatch?: string | undefined;
}

/** Operations on the application's connections. */
export interface Connections {
  /**
   * Creates a connection. Throws `conflict` if its name is taken, and `connector_not_found` for an unknown connector.
   */
  create(connection: NewConnection, options?: CallOptions): Promise<Connection>;
  /** Returns a connection. Throws `connection_not_found` if it does not exist. */
  get(connectionName: string, options?: CallOptions): Promise<Connection>;
  /** Changes settings of a connection. Throws `conflict` if the connection no longer has the version `ifMatch`. */
  update(connectionName: string, changes: ConnectionSettings, options?: UpdateOptions): Promise<Connection>;
  /** Deletes a connection and its connected accounts. */
  delete(connectionName: string, options?: CallOptions): Promise<void>;
  /** Lists the connections by their names. */
  list: List<Connection>;
}

/** Operations on the application's connected accounts. */
export interface Accounts {
  /** Returns a connected account. Throws `account_not_found` if it does not exist. */
  get(account: AccountReference, options?: CallOptions): Promise<ConnectedAccount>;
  /**
   * Polls the account until its user has given consent, and returns the account. Throws `timeout` when the options'
   * `timeout` has passed, and `account_not_found` when the account does not exist.
   */
  waitUntilAuthorized(account: AccountReference, options?: WaitOptions): Promise<ConnectedAccount>;
  /** Deletes the connected account. Revokes its tokens at the upstream if the upstream has a revocation endpoint. */
  delete(account: AccountReference, options?: CallOptions): Promise<void>;
  /**
   * Revokes the account's tokens as `delete` does, but keeps the account. A new link or key connects the account again.
   * The field `upstream` reports the result at the upstream.
   */
  revoke(account: AccountReference, options?: CallOptions): Promise<RevokedAccount>;
  /**
   * Authorizes the account by reporting the user who opened the application's verify URL. Throws `verification_failed`
   * when the link was made for another user. Throws `not_found` when the id is unknown, used or older than 10 minutes.
   */
  verify(verification: Verification, options?: CallOptions): Promise<VerifiedAccount>;
  /** Subscriptions of an account to the webhooks of its upstream. */
  webhooks: WebhookSubscriptions;
  /** Lists the connected accounts that match the query, by their identifiers. Default: all accounts. */
  list: List<ConnectedAccount, [query?: AccountQuery]>;
}

/** Operations on the subscriptions of an account to the webhooks of its upstream. */
export interface WebhookSubscriptions {
  /**
   * Subscribes an account to a trigger. Calls the connector's tool that creates a webhook, and throws the same errors.
   * The service deletes the subscription when it deletes the account or revokes its access.
   */
  create(
    account: AccountReference,
    subscription: NewWebhookSubscription,
    options?: CallOptions,
  ): Promise<WebhookSubscription>;
  /** Deletes a subscription, at the upstream too. */
  delete(account: AccountReference, subscriptionId: string, options?: CallOptions): Promise<void>;
  /** Lists the subscriptions of an account. */
  list: List<WebhookSubscription, [account: AccountReference, query?: PageQuery]>;
}

/** Operations on executions: tool calls and proxied requests, newest first. */
export interface Executions {
  /** Returns one execution with its attempts, its waiting times and the account's identifier. */
  get(executionId: string, options?: CallOptions): Promise<ExecutionTimeline>;
  /** Lists the executions that match the query, newest first by default. */
  list: List<Execution, [query?: ExecutionQuery]>;
}

/** Operations on approvals: tool calls that a person approves or denies before they run. */
export interface Approvals {
  /** Returns an approval. Throws `not_found` if it does not exist. */
  get(approvalId: string, options?: CallOptions): Promise<Approval>;
  /**
   * Approves or denies a tool call. Throws `conflict` when the approval already has another decision or has expired.
   */
  decide(approvalId: string, decision: Decision, options?: CallOptions): Promise<Approval>;
  /** Lists the approvals that match the query, newest first by default. */
  list: List<Approval, [query?: ApprovalQuery]>;
}

/** Operations on webhook endpoints, which get the application's events as signed requests. */
export interface WebhookEndpoints {
  /**
   * Creates an endpoint. Its `secret` is returned only now. Throws `conflict` when the application has 100 endpoints.
   */
  create(endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
  /** Returns an endpoint without its secret. Throws `not_found` if it does not exist. */
  get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Changes settings of an endpoint. Throws `conflict` if the endpoint no longer has the version `ifMatch`. */
  update(
    endpointId: string,
    changes: WebhookEndpointSettings,
    options?: UpdateOptions,
  ): Promise<WebhookEndpoint>;
  /**
   * Creates a new secret. The old secret signs too for `oldSecretExpiresIn` seconds (default: 86400, maximum: 604800).
   */
  rotateSecret(
    endpointId: string,
    options?: CallOptions & { oldSecretExpiresIn?: number | undefined },
  ): Promise<WebhookEndpointWithSecret>;
  /**
   * Sends an event of the type `endpoint.tested` to the endpoint, whatever its types are. Returns its delivery before
   * the first attempt. Throws `conflict` when the endpoint is disabled.
   */
  sendTest(endpointId: string, options?: CallOptions): Promise<DeliveryDetails>;
  /** Deletes an endpoint and its deliveries. The events stay. */
  delete(endpointId: string, options?: CallOptions): Promise<void>;
  /** Lists the endpoints without their secrets. */
  list: List<WebhookEndpoint>;
}

/** Operations on watches. `svc.watch` creates one. */
export interface Watches {
  /** Returns a watch. Throws `not_found` if it does not exist. */
  get(watchId: string, options?: CallOptions): Promise<Watch>;
  /**
   * Changes a watch. With `enabled: true`, a failed watch continues at its last position. Throws `conflict` if the
   * watch no longer has the version `ifMatch`.
   */
  update(watchId: string, changes: WatchSettings, options?: UpdateOptions): Promise<Watch>;
  /** Deletes a watch. Its events stay. */
  delete(watchId: string, options?: CallOptions): Promise<void>;
  /** Lists the watches that match the query, newest first. */
  list: List<Watch, [query?: WatchQuery]>;
}

/** Operations on the application's events, oldest first. */
export interface Events {
  /** Returns an event. Throws `not_found` if it does not exist or is too old. */
  get(eventId: string, options?: CallOptions): Promise<ServiceEvent>;
  /** Lists the events that match the query, oldest first. */
  list: List<ServiceEvent, [query?: EventQuery]>;
}

/** Operations on deliveries of events to webhook endpoints. Lists begin with the newest delivery. */
export interface Deliveries {
  /** Returns one delivery with its latest attempts. */
  get(deliveryId: string, options?: CallOptions): Promise<DeliveryDetails>;
  /** Sends an event again. Throws `conflict` when its endpoint is disabled, or while the delivery is pending. */
  resend(deliveryId: string, options?: CallOptions): Promise<DeliveryDetails>;
  /** Lists the deliveries that match the query, newest first by default. */
  list: List<Delivery, [query?: DeliveryQuery]>;
}

/** Filters and order for a list of issued tokens. */
export type TokenQuery = PageQuery & {
  /** User to whom the tokens are limited. */
  identifier?: string | undefined;
  /** Tokens that are listed first. Default: `newest`. */
  order?: 'newest' | 'oldest' | undefined;
};

/** Operations on the application's issued tokens. */
export interface Tokens {
  /** Lists the tokens that match the query, newest first by default. The list does not contain their secret texts. */
  list: List<ListedToken, [query?: TokenQuery]>;
  /**
   * Revokes a token and all tokens made from it. Throws `not_found` when the token does not exist or is already
   * revoked.
   */
  revoke(id: string, options?: CallOptions): Promise<void>;
}

/** Client with additional operations for setting up and inspecting the service. */
export interface ManagingClient extends Client {
  /** Connections: the application's settings of connectors. */
  connections: Connections;
  /** Connected accounts of the application's users. */
  accounts: Accounts;
  /** Executions: tool calls and proxied requests. */
  executions: Executions;
  /** Tool calls that a person approves or denies before they run. */
  approvals: Approvals;
  /** Webhook endpoints, which get the application's events. */
  webhookEndpoints: WebhookEndpoints;
  /** Watches: lists that the service polls. */
  watches: Watches;
  /** Events of the application. */
  events: Events;
  /** Deliveries of events to webhook endpoints. */
  deliveries: Deliveries;
  /** Tokens that `accountToken` has issued. */
  accountTokens: Tokens;
  /** Tokens that `agentToken` has issued. */
  agentTokens: Tokens;
}

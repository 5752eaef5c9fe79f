import type {
  Approval,
  ApprovalQuery,
  Decision,
  Execution,
  ExecutionQuery,
  ExecutionTimeline,
} from './call-resources.js';
import type { Client } from './client.js';
import { type LinkedPage, paged } from './paged.js';
import { accountPath, path } from './path.js';
import { checkAccount, hasId } from './refuse-unknown-names.js';
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
import type { QueryParams } from './service-call.js';
import type { ServiceEvent } from './service-event.js';
import type { ListedToken } from './token-limits.js';
import type { CallOptions, Limit } from './tool.js';
import { type WaitOptions, waitUntilAuthorized } from './wait-until-authorized.js';
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
  each(...args: [...Query, options?: CallOptions & Limit]): AsyncIterable<Item>;
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
  create(connection: NewConnection, options?: CallOptions): Promise<Connection>;
  get(connectionName: string, options?: CallOptions): Promise<Connection>;
  /** Changes settings of a connection. Throws `conflict` if the connection no longer has the version `ifMatch`. */
  update(connectionName: string, changes: ConnectionSettings, options?: UpdateOptions): Promise<Connection>;
  /** Deletes a connection and its connected accounts. */
  delete(connectionName: string, options?: CallOptions): Promise<void>;
  list: List<Connection>;
}

/** Operations on the application's connected accounts. */
export interface Accounts {
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
  /** Lists the connected accounts that match the query. Default: all accounts. */
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
  list(
    account: AccountReference,
    query?: PageQuery,
    options?: CallOptions,
  ): Promise<ListPage<WebhookSubscription>>;
}

/** Operations on executions: tool calls and proxied requests, newest first. */
export interface Executions {
  /** Returns one execution with its attempts, its waiting times and the account's identifier. */
  get(executionId: string, options?: CallOptions): Promise<ExecutionTimeline>;
  list: List<Execution, [query?: ExecutionQuery]>;
}

/** Operations on approvals: tool calls that a person approves or denies before they run. */
export interface Approvals {
  get(approvalId: string, options?: CallOptions): Promise<Approval>;
  /**
   * Approves or denies a tool call. Throws `conflict` when the approval already has another decision or has expired.
   */
  decide(approvalId: string, decision: Decision, options?: CallOptions): Promise<Approval>;
  list: List<Approval, [query?: ApprovalQuery]>;
}

/** Operations on webhook endpoints, which get the application's events as signed requests. */
export interface WebhookEndpoints {
  /**
   * Creates an endpoint. Its `secret` is returned only now. Throws `conflict` when the application has 100 endpoints.
   */
  create(endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
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
    options?: CallOptions & { oldSecretExpiresIn?: number },
  ): Promise<WebhookEndpointWithSecret>;
  /**
   * Sends an event of the type `endpoint.tested` to the endpoint, whatever its types are. Returns its delivery before
   * the first attempt. Throws `conflict` when the endpoint is disabled.
   */
  sendTest(endpointId: string, options?: CallOptions): Promise<DeliveryDetails>;
  /** Deletes an endpoint and its deliveries. The events stay. */
  delete(endpointId: string, options?: CallOptions): Promise<void>;
  list: List<WebhookEndpoint>;
}

/** Operations on watches. `svc.watch` creates one. */
export interface Watches {
  get(watchId: string, options?: CallOptions): Promise<Watch>;
  /**
   * Changes a watch. With `enabled: true`, a failed watch continues at its last position. Throws `conflict` if the
   * watch no longer has the version `ifMatch`.
   */
  update(watchId: string, changes: WatchSettings, options?: UpdateOptions): Promise<Watch>;
  /** Deletes a watch. Its events stay. */
  delete(watchId: string, options?: CallOptions): Promise<void>;
  list: List<Watch, [query?: WatchQuery]>;
}

/** Operations on the application's events, oldest first. */
export interface Events {
  get(eventId: string, options?: CallOptions): Promise<ServiceEvent>;
  list: List<ServiceEvent, [query?: EventQuery]>;
}

/** Operations on deliveries of events to webhook endpoints. Lists begin with the newest delivery. */
export interface Deliveries {
  /** Returns one delivery with its latest attempts. */
  get(deliveryId: string, options?: CallOptions): Promise<DeliveryDetails>;
  /** Sends an event again. Throws `conflict` when its endpoint is disabled. */
  resend(deliveryId: string, options?: CallOptions): Promise<DeliveryDetails>;
  list: List<Delivery, [query?: DeliveryQuery]>;
}

/** Filters and order for a list of issued tokens. */
export type TokenQuery = PageQuery & {
  identifier?: string | undefined;
  /** Tokens that are listed first. Default: `newest`. */
  order?: 'newest' | 'oldest' | undefined;
};

/** Operations on the application's issued tokens. */
export interface Tokens {
  list: List<ListedToken, [query?: TokenQuery]>;
  /**
   * Revokes a token and all tokens made from it. Throws `not_found` when the token does not exist or is already
   * revoked.
   */
  revoke(id: string, options?: CallOptions): Promise<void>;
}

/** Client with additional operations for setting up and inspecting the service. */
export interface ManagingClient extends Client {
  connections: Connections;
  accounts: Accounts;
  executions: Executions;
  approvals: Approvals;
  webhookEndpoints: WebhookEndpoints;
  watches: Watches;
  events: Events;
  deliveries: Deliveries;
  accountTokens: Tokens;
  agentTokens: Tokens;
}

interface CallDetails extends CallOptions {
  body?: object | undefined;
  queryParams?: QueryParams | undefined;
}

/** Sends a call to the service and returns the data of its response. */
type SendCall = <Data>(method: string, target: string, details?: CallDetails) => Promise<Data>;

/**
 * Adds operations for setting up and inspecting the service to a client. Bundlers leave them out of applications that
 * do not call this function.
 */
export function manage(client: Client): ManagingClient {
  function send<Data>(method: string, target: string, details: CallDetails = {}): Promise<Data> {
    const { body, queryParams, ...options } = details;
    return client.call<Data>({ method, path: target, queryParams, body }, options);
  }

  return {
    ...client,
    connections: connectionsOf(send),
    accounts: accountsOf(send),
    executions: executionsOf(send),
    approvals: approvalsOf(send),
    webhookEndpoints: endpointsOf(send),
    watches: watchesOf(send),
    events: {
      get: async (id, options) => send('GET', path('events', id), options),
      list: listOf(send, path('events')),
    },
    deliveries: deliveriesOf(send),
    accountTokens: tokensOf(send, 'account-tokens'),
    agentTokens: tokensOf(send, 'agent-tokens'),
  };
}

// Methods that build a path are async, so that a missing account name rejects the promise instead of throwing at once.

/** Turns the option `ifMatch` into the header of the request. */
const withIfMatch = ({ ifMatch, ...options }: UpdateOptions = {}): CallOptions => ({
  ...options,
  headers: { ...options.headers, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
});

function connectionsOf(send: SendCall): Connections {
  return {
    create: (body, options) => send('POST', path('connections'), { ...options, body }),
    get: async (name, options) => send('GET', path('connections', name), options),
    update: async (name, body, options) =>
      send('PATCH', path('connections', name), { ...withIfMatch(options), body }),
    delete: async (name, options) => send('DELETE', path('connections', name), options),
    list: listOf(send, path('connections')),
  };
}

function accountsOf(send: SendCall): Accounts {
  const get: Accounts['get'] = async (account, options) => send('GET', referencePath(account), options);
  return {
    get,
    waitUntilAuthorized: async (account, options) =>
      waitUntilAuthorized((callOptions) => get(account, callOptions), options),
    delete: async (account, options) => send('DELETE', referencePath(account), options),
    revoke: async (account, options) => send('POST', referencePath(account, '/revoke'), options),
    // Sends `authRequestId` as idempotency key, because the service accepts the id only once. If the response is lost,
    // a retry gets the stored response instead of the error that the id was already used.
    verify: (body, options) =>
      send('POST', path('accounts', 'verify'), { idempotencyKey: body.authRequestId, ...options, body }),
    webhooks: subscriptionsOf(send),
    list: listOf(send, path('accounts')),
  };
}

function subscriptionsOf(send: SendCall): WebhookSubscriptions {
  return {
    create: async (account, body, options) =>
      send('POST', referencePath(account, '/webhooks'), { ...options, body }),
    delete: async (account, id, options) =>
      send('DELETE', referencePath(account, `/webhooks${path(id).slice('/v1'.length)}`), options),
    list: async (account, queryParams, options) =>
      send('GET', referencePath(account, '/webhooks'), { ...options, queryParams }),
  };
}

function referencePath(account: AccountReference, operation = ''): string {
  if (hasId(account)) return path('accounts', account.id) + operation;
  checkAccount('accounts', account, []);
  return accountPath(account, operation);
}

function executionsOf(send: SendCall): Executions {
  return {
    get: async (executionId, options) => send('GET', path('executions', executionId), options),
    list: listOf(send, path('executions')),
  };
}

function approvalsOf(send: SendCall): Approvals {
  return {
    get: async (approvalId, options) => send('GET', path('approvals', approvalId), options),
    // Uses the approval id as idempotency key, because repeating a decision has no further effect. A retry then returns
    // a response that was lost.
    decide: async (approvalId, body, options) =>
      send('POST', path('approvals', approvalId), { idempotencyKey: approvalId, ...options, body }),
    list: listOf(send, path('approvals')),
  };
}

function endpointsOf(send: SendCall): WebhookEndpoints {
  const all = 'webhook-endpoints';
  return {
    create: (body, options) => send('POST', path(all), { ...options, body }),
    get: async (id, options) => send('GET', path(all, id), options),
    update: async (id, body, options) => send('PATCH', path(all, id), { ...withIfMatch(options), body }),
    rotateSecret: async (id, { oldSecretExpiresIn, ...options } = {}) =>
      send('POST', `${path(all, id)}/rotate-secret`, { ...options, body: { oldSecretExpiresIn } }),
    sendTest: async (id, options) => send('POST', `${path(all, id)}/test`, options),
    delete: async (id, options) => send('DELETE', path(all, id), options),
    list: listOf(send, path(all)),
  };
}

function watchesOf(send: SendCall): Watches {
  const all = 'watches';
  return {
    get: async (id, options) => send('GET', path(all, id), options),
    update: async (id, body, options) => send('PATCH', path(all, id), { ...withIfMatch(options), body }),
    delete: async (id, options) => send('DELETE', path(all, id), options),
    list: listOf(send, path(all)),
  };
}

function deliveriesOf(send: SendCall): Deliveries {
  return {
    get: async (id, options) => send('GET', path('deliveries', id), options),
    resend: async (id, options) => send('POST', `${path('deliveries', id)}/resend`, options),
    list: listOf(send, path('deliveries')),
  };
}

function tokensOf(send: SendCall, kind: string): Tokens {
  return {
    list: listOf(send, path(kind)),
    revoke: async (id, options) => send('DELETE', path(kind, id), options),
  };
}

/** Page of a list in the form of a tool's result, which `paged` expects. */
interface LinkedListPage<Item> extends LinkedPage {
  readonly data: ListPage<Item>;
}

/** Creates the function that returns one page of a list, with iterators over all pages. */
function listOf<Item, Query extends QueryParams>(
  send: SendCall,
  target: string,
): List<Item, [query?: Query]> {
  const fetchPage = (queryParams?: Query, options?: CallOptions) =>
    send<ListPage<Item>>('GET', target, { ...options, queryParams });

  async function fetchLinkedPage(query?: Query, options?: CallOptions): Promise<LinkedListPage<Item>> {
    const data = await fetchPage(query, options);
    const { nextPageToken: pageToken } = data;
    return { data, nextInput: pageToken ? { pageToken } : undefined };
  }

  const linked = paged<Query | undefined, LinkedListPage<Item>, Item>(fetchLinkedPage, 'items');

  async function* pages(query?: Query, options?: CallOptions) {
    for await (const { data } of linked.pages(query, options)) yield data;
  }

  return Object.assign(fetchPage, { each: linked.each, pages });
}

import type { Client } from './client.js';
import type {
  Accounts,
  Approvals,
  Connections,
  Deliveries,
  Executions,
  List,
  ManagingClient,
  Tokens,
  UpdateOptions,
  Watches,
  WebhookEndpoints,
  WebhookSubscriptions,
} from './managing-client.js';
import { type LinkedPage, paged } from './paged.js';
import { accountPath, path } from './path.js';
import { checkAccount, hasId } from './refuse-unknown-names.js';
import type { AccountReference, ListPage, PageQuery } from './resources.js';
import type { QueryParams } from './service-call.js';
import type { CallOptions, Limit } from './tool.js';
import { waitUntilAuthorized } from './wait-until-authorized.js';
import type { WebhookSubscription } from './webhook-resources.js';

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

/** Sets the idempotency key of a call, unless the caller gave one. */
const withKey = (idempotencyKey: string, options?: CallOptions): CallOptions => ({
  ...options,
  idempotencyKey: options?.idempotencyKey ?? idempotencyKey,
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
      send('POST', path('accounts', 'verify'), { ...withKey(body.authRequestId, options), body }),
    webhooks: subscriptionsOf(send),
    list: listOf(send, path('accounts')),
  };
}

function subscriptionsOf(send: SendCall): WebhookSubscriptions {
  type OfAccount = [account: AccountReference, query?: PageQuery, options?: CallOptions & Limit];
  const listOfAccount = (account: AccountReference) =>
    listOf<WebhookSubscription, PageQuery>(send, referencePath(account, '/webhooks'));

  async function* each(...[account, query, options]: OfAccount) {
    yield* listOfAccount(account).each(query, options);
  }

  async function* pages(...[account, query, options]: OfAccount) {
    yield* listOfAccount(account).pages(query, options);
  }

  return {
    create: async (account, body, options) =>
      send('POST', referencePath(account, '/webhooks'), { ...options, body }),
    delete: async (account, id, options) =>
      send('DELETE', referencePath(account, `/webhooks${path(id).slice('/v1'.length)}`), options),
    list: Object.assign(
      async (...[account, query, options]: OfAccount) => listOfAccount(account)(query, options),
      { each, pages },
    ),
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
    // Uses the approval id as idempotency key, because the service accepts the same decision again. A retry then returns
    // a response that was lost.
    decide: async (approvalId, body, options) =>
      send('POST', path('approvals', approvalId), { ...withKey(approvalId, options), body }),
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

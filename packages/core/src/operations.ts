import type { Client } from './client.js';
import { eachItem } from './each-item.js';
import { path } from './path.js';
import { proxy } from './proxy.js';
import type {
  AccountName,
  AccountReference,
  ConnectedAccount,
  Connection,
  Execution,
  ExecutionQuery,
  Page,
  PageQuery,
} from './resources.js';
import type { Send } from './sender.js';
import type { CallOptions } from './tool.js';
import { withQuery } from './with-query.js';

const accountPath = ({ connectionName, identifier }: AccountName) =>
  path('connections', connectionName, 'accounts', identifier);

const referencePath = (account: AccountReference) =>
  'id' in account ? path('accounts', account.id) : accountPath(account);

const pages = <Query extends object | undefined, Item>(
  fetchPage: (query: Query, options?: CallOptions) => Promise<Page<Item>>,
) =>
  Object.assign(fetchPage, {
    each: eachItem<Query, CallOptions, Item>(fetchPage, ['pageToken', 'nextPageToken', 'items']),
  });

/** Every operation of the service as one function. */
export function operations(send: Send): Client {
  // Answers are typed as the service documents them and not checked at run time.
  const call = async <Data>(
    method: string,
    url: string,
    { json, ...options }: CallOptions & { json?: unknown } = {},
  ) => (await send({ method, url, json }, options)).data as Data;
  const connections = path('connections');
  return {
    getAuthorizationLink: (account, options) =>
      call('POST', `${accountPath(account)}/authorization-link`, options),
    getOrCreateConnectedAccount: ({ apiKey, bearerToken, ...account }, options) =>
      call('PUT', accountPath(account), { ...options, json: { apiKey, bearerToken } }),
    executeTool: ({ toolName, ...json }, options) =>
      call('POST', `${path('tools', toolName)}/execute`, { ...options, json }),
    request: proxy(send),
    connections: {
      create: (json, options) => call('POST', connections, { ...options, json }),
      get: (name, options) => call('GET', path('connections', name), options),
      update: (name, json, options) => call('PATCH', path('connections', name), { ...options, json }),
      delete: (name, options) => call('DELETE', path('connections', name), options),
      list: pages((query?: PageQuery, options?: CallOptions) =>
        call<Page<Connection>>('GET', withQuery(connections, query), options),
      ),
    },
    accounts: {
      get: (account, options) => call('GET', referencePath(account), options),
      delete: (account, options) => call('DELETE', referencePath(account), options),
      verify: (json, options) => call('POST', path('accounts', 'verify'), { ...options, json }),
      list: pages(
        ({ connectionName, ...query }: PageQuery & { connectionName: string }, options?: CallOptions) =>
          call<Page<ConnectedAccount>>(
            'GET',
            withQuery(path('connections', connectionName, 'accounts'), query),
            options,
          ),
      ),
    },
    executions: {
      list: pages((query?: ExecutionQuery, options?: CallOptions) =>
        call<Page<Execution>>('GET', withQuery(path('executions'), query), options),
      ),
    },
  };
}

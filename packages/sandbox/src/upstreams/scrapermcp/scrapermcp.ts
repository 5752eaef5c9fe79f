import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KeyCheck } from '../../keys.js';
import { addMcpEndpoint, rpcFailure } from '../../mcp/endpoint.js';
import { createMcpServer } from '../../mcp/server.js';
import type { KeyUpstream } from '../../upstream.js';
import { type Actor, shortId } from './actor.js';
import { newerActorTool, newerTools, newestTools } from './newer-tools.js';
import { olderActorTool, olderTools } from './older-tools.js';
import { getKeyValueStoreRecord, type RecordsParts, readRecord } from './records.js';
import { datasetEndpoints } from './rest/datasets.js';
import { addEndpoints, type Endpoint, notEmulated, type Owned, restFailure } from './rest/endpoint.js';
import { runEndpoints } from './rest/runs.js';
import { createStorages } from './rest/storages.js';
import { storeEndpoints } from './rest/stores.js';
import { type Account, createAccount } from './runs.js';
import { needsNoToken, selectTools } from './tool-selection.js';

interface Served extends RecordsParts {
  readonly account: Account;
}

const API_PATH = '/api';
const SERVERS = {
  newest: {
    version: '0.20.0',
    partsOf: ({ account, ...records }: Served) => ({
      tools: [...newestTools(account, records.storages), getKeyValueStoreRecord(records)],
      toolOf: (actor: Actor) => newerActorTool(account, actor),
      readResource: readRecord(records),
    }),
  },
  new: {
    version: '0.16.0',
    partsOf: ({ account, ...records }: Served) => ({
      tools: [...newerTools(account, records.storages), getKeyValueStoreRecord(records)],
      toolOf: (actor: Actor) => newerActorTool(account, actor),
      readResource: readRecord(records),
    }),
  },
  old: {
    version: '0.9.22',
    partsOf: ({ account }: Served) => ({
      tools: olderTools(account),
      toolOf: (actor: Actor) => olderActorTool(account, actor),
    }),
  },
} as const;

const mcpKey: KeyCheck = {
  header: 'authorization',
  scheme: 'Bearer',
  isOpen: ({ url }) => needsNoToken(url),
  refuse: () => ({
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="Apify"' },
    body: rpcFailure({ code: -32001, message: 'Unauthorized: give a valid Apify API token.' }),
  }),
};

const apiKey: KeyCheck = {
  header: 'authorization',
  scheme: 'Bearer',
  refuse: () => ({
    status: 401,
    body: restFailure('user-or-token-not-found', 'User was not found or authentication token is not valid'),
  }),
};

export const scrapermcp: KeyUpstream = {
  id: 'scrapermcp',
  title: 'Scraping platform',
  key: mcpKey,
  hosts: { api: { path: API_PATH, key: apiKey } },
  failure(status, _requestId, host) {
    const message = `The server returned ${status}.`;
    return host === 'api'
      ? restFailure(status === 429 ? 'rate-limit-exceeded' : 'internal-error', message)
      : rpcFailure({ code: -32000, message });
  },
  mount(app, { baseUrl, clock, dials }) {
    const accounts = perToken(() => createAccount(clock.now));
    const storages = perToken(() => createStorages(clock.now));
    addRestApi(app, API_PATH, (request) => {
      const token = tokenOf(request);
      return { account: accounts.of(token), storages: storages.of(token) };
    });
    const sessions = addMcpEndpoint(app, {
      path: '/',
      // The caller includes the tool set, so that sessions of another tool set get 404.
      caller: async (request) => `${dials().toolSet} ${tokenOf(request)}`,
      createServer(_caller, request) {
        const token = tokenOf(request);
        const { version, partsOf } = SERVERS[dials().toolSet];
        const { tools, toolOf, ...resources } = partsOf({
          account: accounts.of(token),
          storages: storages.of(token),
          apiUrl: baseUrl + API_PATH,
        });
        const selected = selectTools(tools, request.url, toolOf);
        return createMcpServer({ name: 'apify-mcp-server', version, tools: selected, ...resources });
      },
      respondsWithJson: () => dials().mcpResponses === 'json',
      isStateless: () => dials().mcpSpeaks === 'stateless',
    });
    return {
      reset() {
        accounts.reset();
        storages.reset();
        sessions.end();
      },
    };
  },
};

const tokenOf = ({ headers }: FastifyRequest): string => headers.authorization?.split(' ')[1] ?? '';

function perToken<Value>(create: () => Value) {
  const all = new Map<string, Value>();
  return {
    of(token: string): Value {
      const known = all.get(token) ?? create();
      all.set(token, known);
      return known;
    },
    reset: () => all.clear(),
  };
}

const me = { id: shortId('user'), username: 'ada', email: 'ada@example.com', plan: { id: 'FREE' } };

const userEndpoints: readonly Endpoint[] = [
  ['GET', '/users/me', () => ({ data: me })],
  ['GET', '/users/:user', () => ({ data: { username: me.username, profile: { name: 'Ada Lovelace' } } })],
];

function addRestApi(app: FastifyInstance, prefix: string, owned: (request: FastifyRequest) => Owned): void {
  addEndpoints(app, [...userEndpoints, ...runEndpoints, ...datasetEndpoints, ...storeEndpoints], {
    prefix,
    owned,
  });
  // Other paths of the REST API return 501, such as builds, schedules, tasks, request queues and webhooks.
  app.all(`${prefix}/v2/*`, (_, reply) => notEmulated(reply));
}

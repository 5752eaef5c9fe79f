import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Connector } from '@svc/catalog';
import fastify, { type FastifyInstance } from 'fastify';
import { createChooseHotRoute } from '../../../src/assembly/choose-hot-route.js';
import { createCallers } from '../../../src/caller.js';
import { type BodyMemory, createBodyMemory } from '../../../src/concurrency/body-memory.js';
import type { Credential } from '../../../src/connections/credential.js';
import type { AccountName } from '../../../src/connections/find-account.js';
import type { LimitCalls } from '../../../src/front/limit-calls.js';
import type { BodyLimits } from '../../../src/front/request-body.js';
import { createServe } from '../../../src/front/serve-api-request.js';
import { createAgent } from '../../../src/http/agent.js';
import { createSend } from '../../../src/http/send-http.js';
import { createErrorReply } from '../../../src/listener/error-reply.js';
import { createBeginProxied, nameByPath } from '../../../src/proxy/begin-proxied.js';
import { createCheckLimits } from '../../../src/proxy/check-limits.js';
import { proxyRoutes } from '../../../src/proxy/document.js';
import { createEndIfRefused } from '../../../src/proxy/end-if-refused.js';
import { createLinks } from '../../../src/proxy/links.js';
import { createLocateByPath } from '../../../src/proxy/locate.js';
import { createProxy } from '../../../src/proxy/proxy.js';
import { createCanonicalPathOf, createProxyRouter } from '../../../src/proxy/proxy-route.js';
import { secret } from '../../../src/secret.js';
import { createBeginExecution, type ExecutionRecord } from '../../../src/upstream/begin-execution.js';
import { createBreaker } from '../../../src/upstream/breaker.js';
import { createForward } from '../../../src/upstream/forward.js';
import { createLimiter, type LimiterOptions } from '../../../src/upstream/limiter.js';
import { createShowPath } from '../../../src/upstream/show-path.js';

const connector: Connector = {
  id: 'sample',
  title: 'Sample',
  service: 'Sample',
  description: 'A connector that only tests know.',
  api: 'Sample API',
  baseUrl: 'https://api.upstream.example',
  hosts: {},
  mcp: { path: '/mcp' },
  encodedSlashes: ['/projects/{}'],
  headers: { 'X-Version': '2022-06-28' },
  auth: { type: 'api_key', inject: { header: 'X-Api-Key', value: 'key {credential}' }, credentials: [] },
  errors: [],
  retry: { attempts: 3, baseMs: 1, capMs: 1 },
  types: {},
  tools: [],
};

interface Setup {
  readonly limits?: Partial<Omit<BodyLimits, 'holding'>>;
  readonly memory?: BodyMemory;
  readonly renewed?: string | undefined;
  /** Called and awaited before the proxy looks up an account. `renews` is awaited before it refreshes a credential. */
  readonly looksUp?: () => Promise<unknown>;
  readonly renews?: () => Promise<unknown>;
  /**
   * Maximum time in milliseconds without a byte from the upstream. Default: 60,000, because an upstream may be slow on
   * a busy machine.
   */
  readonly quietMs?: number;
  readonly limitAccount?: LimitCalls;
  readonly limiter?: LimiterOptions;
  /** Upstream ports by connection name. Other connections use `upstreamPort`. */
  readonly upstreams?: Readonly<Record<string, number>>;
  /** Clock of the circuit breaker, in milliseconds. */
  readonly now?: () => number;
}

const closing: (() => unknown)[] = [];

/** Closes all servers and clients that this file has started since the last `closeAll`. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close();
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

export async function startProxy(
  upstreamPort: number,
  {
    limits = {},
    renewed,
    looksUp,
    renews,
    quietMs = 60_000,
    limitAccount = () => undefined,
    limiter = {},
    upstreams = {},
    now = () => 0,
    memory = createBodyMemory(128 * 1024 * 1024),
  }: Setup = {},
) {
  const originOf = (connectionName: string) =>
    `http://127.0.0.1:${upstreams[connectionName] ?? upstreamPort}`;
  const executions: ExecutionRecord[] = [];
  const allowedOrigins = ['', ...Object.keys(upstreams)].map((name) => ({
    connector: connector.id,
    origin: originOf(name),
  }));
  const agent = createAgent({ allowedOrigins, headersTimeoutMs: quietMs, idleTimeoutMs: quietMs });
  const renewals: number[] = [];
  const connectors = new Map([[connector.id, connector]]);
  const forward = createForward({
    connectors,
    credentials: {
      cached: () => undefined,
      notHelped: () => undefined,
      end: async () => undefined,
      current: async () => ({ secret: secret('first'), version: 1 }),
      renew: async (_, { version }): Promise<Credential | undefined> => {
        renewals.push(version);
        await renews?.();
        return renewed === undefined ? undefined : { secret: secret(renewed), version: version + 1 };
      },
    },
    send: createSend(agent),
    limiter: createLimiter(limiter),
    breaker: createBreaker({ now }),
  });
  const log = { info() {}, debug() {}, warn() {}, request() {}, fault() {}, flush() {} };
  let requests = 0;
  const { serve } = createServe({
    log,
    headers: {},
    callers: createCallers(),
    addressOf: () => '127.0.0.1',
    limitBearer: () => undefined,
    origins: { isKnown: async () => false, check: async () => undefined },
    newRequestId: () => `req-${++requests}`,
    recordFailure: () => undefined,
    signIn: {
      cached: () => undefined,
      authenticate: async (applicationId) => ({ applicationId, clientSecretId: 'secret_1' }),
    },
  });
  const byName = async (applicationId: string, { connectionName, identifier }: AccountName) => {
    await looksUp?.();
    return {
      id: `acct_${identifier}`,
      applicationId,
      identifier,
      connectionId: `conn_${connectionName}`,
      connectionName,
      connector: connector.id,
      baseUrl: `${originOf(connectionName)}/base`,
      hosts: {},
    };
  };
  const beginProxied = createBeginProxied(
    createBeginExecution({
      record: (execution) => executions.push(execution),
      connectors,
      showPath: createShowPath({ tools: new Map() }),
      now: () => new Date(0),
      randomId: () => '1',
      version: '0.0.0',
    }),
    nameByPath,
  );
  const proxy = serve('/v1/proxy/*', {
    refused: () => undefined,
    work: createProxy({
      memory,
      checkLimits: createCheckLimits(
        { checkAndCount: async () => undefined },
        createCanonicalPathOf(connectors),
      ),
      locate: createLocateByPath({
        serviceUrl: 'http://svc.example',
        tokenUses: { checkName: () => undefined, checkAccount: () => undefined },
        resolve: { byName },
      }),
      route: createProxyRouter(connectors),
      endIfRefused: createEndIfRefused(connectors),
      links: createLinks(connectors, ['http://svc.example']),
      forward,
      beginProxied,
      limits: { maxBytes: 250 * 1024 * 1024, ...limits },
      limitAccount,
      expectUpload: () => undefined,
    }),
  });
  const front = createChooseHotRoute({
    proxy,
    tool: proxy,
    mcp: proxy,
    proxyPortRequest: proxy,
    proxyPort: undefined,
  });
  const app: FastifyInstance = fastify({
    serverFactory: (fastifyHandler) =>
      createServer((request, reply) => {
        if (!front(request, reply)) fastifyHandler(request, reply);
      }),
  });
  app.setErrorHandler(createErrorReply({ log, headers: {} }));
  await app.register(proxyRoutes({ proxy }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  closing.push(
    () => app.close(),
    () => agent.destroy(),
  );
  const { port } = app.server.address() as AddressInfo;
  const countCallers = () => promisify(app.server.getConnections.bind(app.server))();
  return { port, executions, renewals, countCallers };
}

export type Respond = (request: IncomingMessage, reply: ServerResponse) => void;
export const start = async (respond: Respond, setup: Setup = {}) =>
  startProxy(await listen(createServer(respond)), setup);

export function call(
  port: number,
  options: RequestOptions & { readonly application?: string } = {},
  body?: Buffer | Readable,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = '/v1/proxy/conn/user_42/v1/x';
    const { application = 'app_1', headers, ...rest } = options;
    const all = { authorization: `Bearer ${application}`, ...headers };
    const request = httpRequest(
      { port, host: '127.0.0.1', path, agent: false, ...rest, headers: all },
      resolve,
    );
    request.on('error', reject);
    if (body instanceof Readable) body.pipe(request);
    else request.end(body);
  });
}

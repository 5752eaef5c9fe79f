import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Catalog, loadCatalog } from '@svc/catalog';
import { type BodyMemory, createBodyMemory } from '../../../src/concurrency/body-memory.js';
import type { Resolve } from '../../../src/connections/resolve.js';
import { ServiceError } from '../../../src/errors.js';
import { createResponseBody } from '../../../src/http/response-body.js';
import type { HttpResponse } from '../../../src/http/send-http.js';
import { createDeriveIdempotencyKey } from '../../../src/tools/derive-idempotency-key.js';
import { createDryRun } from '../../../src/tools/dry-run.js';
import { createExecute } from '../../../src/tools/execute.js';
import type { ExecuteRequest } from '../../../src/tools/execute-request.js';
import type { Handler } from '../../../src/tools/handler.js';
import { createRetryWithBackoff } from '../../../src/tools/retry-with-backoff.js';
import { createRunTool } from '../../../src/tools/run-tool.js';
import { createSendRequest } from '../../../src/tools/send-request.js';
import { createUpstreamAccess, noMcp } from '../../../src/tools/upstream-access.js';
import { createBeginExecution, type ExecutionRecord } from '../../../src/upstream/begin-execution.js';
import type { Forward, ForwardRequest } from '../../../src/upstream/forward.js';
import { createPlanRequest } from '../../../src/upstream/plan-request.js';
import { createReadLink } from '../../../src/upstream/read-link.js';
import { createRetryBudget } from '../../../src/upstream/retry.js';
import { createShowPath } from '../../../src/upstream/show-path.js';
import { createDigest } from '../../../src/vault/pepper.js';
import { newFolder } from '../processes/new-folder.js';

function writeConnector(id: string, connector: object, tools: readonly { readonly name: string }[]): string {
  const root = path.join(newFolder(), id);
  mkdirSync(path.join(root, id, 'tools'), { recursive: true });
  writeFileSync(path.join(root, id, 'connector.json'), JSON.stringify({ id, ...connector }));
  for (const tool of tools)
    writeFileSync(path.join(root, id, 'tools', `${tool.name}.json`), JSON.stringify(tool));
  return root;
}

const connector = {
  title: 'Sample',
  description: 'A connector that only this test knows.',
  api: 'Sample API',
  baseUrl: 'https://api.upstream.example',
  hosts: { jobs: { baseUrl: 'https://jobs.upstream.example' } },
  auth: { type: 'api_key', inject: { header: 'X-Key', value: '{credential}' } },
  errors: [
    { status: 400, body: { code: 'wrong_path' }, advice: 'Use the other tool.' },
    { status: 200, body: { errors: [{}] }, advice: 'Look at the errors.' },
    { status: 429, retry: 'any' },
    { status: 503, retry: 'reads' },
  ],
  retry: { attempts: 3, baseMs: 100, capMs: 5_000 },
};

const inputOf = (properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: { type: 'string', description: 'Which item.' }, ...properties },
});
const max = { type: 'integer', description: 'How many.', maximum: 50, default: 5 };

export function tool(name: string, readOnly: boolean, implementation: object, { longRunning = false } = {}) {
  const id = { id: 'a' };
  return {
    name,
    title: 'Sample tool',
    description: 'A tool that only this test knows, long enough to be taken.',
    hints: { readOnly, destructive: false, idempotent: readOnly, longRunning },
    versions: [
      {
        schema_version: '1.0.0',
        tool_version: '1.0.1',
        status: 'current',
        input: inputOf({}),
        output: true,
        ...implementation,
      },
    ],
    examples: [{ title: 'One', input: id }],
  };
}

const get = {
  input: inputOf({ max }),
  request: { method: 'GET', path: '/v1/{id}', query: { max: '{max}', tag: ['a', 'b c'] } },
};
const job = { request: { method: 'GET', host: 'jobs', path: '/v1/{id}' } };
const post = { request: { method: 'POST', path: '/v1/items', body: { id: '{id}' } } };
export const load = (id: string, tools: readonly { readonly name: string }[], own: object = {}) =>
  loadCatalog({ folders: [writeConnector(id, { ...connector, ...own }, tools)], builtIn: false });
const tools = [
  tool('sample_get', true, get),
  tool('sample_create', false, post),
  tool('sample_search', true, post),
  tool('sample_custom', false, { handler: true }),
  tool('sample_job', true, job, { longRunning: true }),
];
const sampleCatalog = load('sample', tools);

/** Sample catalogue whose connector never retries a call. */
export const paidCatalog = load('sample', tools, { retry: { attempts: 1 } });

export type Reply =
  | {
      readonly status?: number;
      readonly headers?: HttpResponse['headers'];
      readonly body?: string | Buffer;
      /** Error that breaks off the response body after its content. */
      readonly brokenBy?: ServiceError;
    }
  | ServiceError;

type Custom = Handler<{ readonly id: string }>;

const custom: Custom = async ({ id }, send, { now, randomId }) => [
  await send({ method: 'GET', path: `/v1/${id}` }),
  now().toISOString(),
  randomId(),
];

function bodyOf(content: string | Buffer, brokenBy: ServiceError | undefined): HttpResponse['body'] {
  const { body, push, end, fail } = createResponseBody({
    pause: () => undefined,
    resume: () => undefined,
    abort: () => undefined,
  });
  if (content.length > 0) push(Buffer.from(content));
  if (brokenBy) fail(brokenBy);
  else end();
  return body;
}

export interface SampleOptions {
  readonly catalog?: Catalog;
  readonly memory?: BodyMemory;
  /** Handler function of the tool `sample_custom`. Default: the handler of the sample catalogue. */
  readonly handler?: Custom;
}

export function setUp(
  replies: readonly Reply[],
  {
    catalog = sampleCatalog,
    memory = createBodyMemory(128 * 1024 * 1024),
    handler = custom,
  }: SampleOptions = {},
) {
  const sent: ForwardRequest[] = [];
  const executions: ExecutionRecord[] = [];
  const waits: number[] = [];
  const unasked = () => {
    throw new Error('No sample names its account.');
  };
  const now = () => new Date('2026-11-20T12:00:00Z');
  const randomId = () => 'id-1';
  const resolve: Resolve = {
    byName: unasked,
    unchecked: unasked,
    byId: async (applicationId, id) => {
      if (id === 'acct_unknown') throw new ServiceError('account_not_found', 'There is no such account.');
      return {
        id,
        applicationId,
        identifier: 'user_42',
        connectionId: 'conn_1',
        connectionName: 'main',
        connector: id === 'acct_other' ? 'other' : 'sample',
        baseUrl: 'https://api.upstream.example',
        hosts: {},
      };
    },
  };
  const forward: Forward = async (_, request) => {
    sent.push(request);
    const reply = replies[Math.min(sent.length, replies.length) - 1];
    if (reply === undefined || reply instanceof ServiceError) throw reply ?? new Error('no scripted reply');
    const { status = 200, headers = {}, body = '{}', brokenBy } = reply;
    return { status, headers, body: bodyOf(body, brokenBy) };
  };
  const sleep = async (ms: number) => void waits.push(ms);
  const retry = createRetryWithBackoff({ budget: createRetryBudget(now), random: () => 1, sleep });
  const sendRequest = createSendRequest({ forward, retry, demandScopes: async () => undefined, now });
  const accessUpstream = createUpstreamAccess({
    sendRequest,
    openMcp: () => noMcp,
    retry,
    downloadSigned: async () => Buffer.alloc(0),
    links: createReadLink({
      send: () => Promise.reject(new Error('No sample opens a link.')),
      isAllowedOrigin: () => false,
      mostBytes: 0,
    }),
    deriveIdempotencyKey: createDeriveIdempotencyKey(createDigest(Buffer.alloc(32, 1))),
  });
  const runTool = createRunTool({
    catalog,
    handlers: { sample_custom: handler },
    now,
    randomId,
    sleep,
  });
  const execute = createExecute({
    catalog,
    resolve,
    beginExecution: createBeginExecution({
      record: (execution) => executions.push(execution),
      connectors: catalog.connectors,
      showPath: createShowPath(catalog),
      now,
      randomId,
      version: '0.0.0',
    }),
    runWithApproval: (_, run) => run(),
    memory,
    accessUpstream,
    runTool,
    followCall: () => undefined,
    findObject: () => undefined,
  });
  const dryRun = createDryRun({
    catalog,
    resolve,
    memory,
    planRequest: createPlanRequest(catalog),
    accessUpstream,
    runTool,
  });
  const complete = (toolName: string, request: Partial<ExecuteRequest>): ExecuteRequest => ({
    applicationId: 'app_1',
    toolName,
    connectedAccountId: 'acct_1',
    toolInput: { id: 'a b' },
    requestId: 'req-1',
    ...request,
  });
  const call = (toolName: string, request: Partial<ExecuteRequest> = {}) =>
    execute(complete(toolName, request));
  const plan = async (toolName: string) => (await dryRun(complete(toolName, {}))).dryRun;
  return { call, plan, sent, executions, waits };
}

import type { RecordedRequest } from '@svc/sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DryRun, DryRunRequest } from '../../src/tools/dry-run.js';
import { firstText, mintToken, runAgent } from '../support/mcp/agent.js';
import { type Application, type Reply, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { emulatedConnectors } from '../support/tools/emulated-connectors.js';

// Fixed clock. Each tool runs with the input of its first example, and all times in these inputs are before NOW.
const NOW = Date.parse('2026-11-20T12:00:00Z');
const CASES = emulatedConnectors.flatMap(({ id, tools }) =>
  tools.map(({ name, hints, examples }) => ({
    connector: id,
    toolName: name,
    toolInput: examples[0]?.input ?? {},
    isReadOnly: hints.readOnly,
  })),
);

let service: Service;
let application: Application;
/** Agent token of the user whose accounts the tests use. MCP requests need an agent token. */
let token: string;
const accounts = new Map<string, string>();

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  service = await startService();
  application = await signIn(service);
  for (const { id } of emulatedConnectors) accounts.set(id, (await connectAccount(service, id)).id);
  token = await mintToken(service);
});

afterAll(async () => {
  await service.stop();
  vi.useRealTimers();
});

interface Called {
  readonly toolName: string;
  readonly connector?: string;
  readonly toolInput: object;
  readonly accountId?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

const run = (
  { toolName, connector = '', toolInput, accountId = accounts.get(connector), headers = {} }: Called,
  more: object = {},
): Promise<Reply> =>
  application.call('POST', `/v1/tools/${toolName}/execute`, {
    body: { connectedAccountId: accountId, toolInput, ...more },
    headers,
  });

const dryRunIn = (reply: Reply): DryRun => {
  expect([reply.status, reply.headers.get('svc-error')]).toEqual([200, null]);
  return reply.json<{ dryRun: DryRun }>().dryRun;
};
const runDry = async (called: Called) => dryRunIn(await run(called, { dryRun: true }));

/** Builds the params of `tools/call`: with the tool's own name, or through the generic tool `call_tool`. */
const OVER_MCP = [
  (name: string, input: object) => ({ name, arguments: input }),
  (name: string, input: object) => ({ name: 'call_tool', arguments: { name, arguments: input } }),
];

/** Runs a dry run over MCP. `way` is an element of OVER_MCP. Returns the tool result. */
async function planOverMcp(way: (name: string, input: object) => object, { toolName, toolInput }: Called) {
  const params = { ...way(toolName, toolInput) };
  const { message } = await runAgent(
    service,
    { method: 'tools/call', params },
    { token, meta: { 'svc/dryRun': true } },
  );
  expect(message.result).toMatchObject({ isError: true });
  expect(message.result).not.toHaveProperty('structuredContent');
  return message.result as Values & { readonly _meta: Values };
}

/** Common format of a planned request and a recorded request, so that tests can compare the two. */
type Sent = Pick<RecordedRequest, 'method' | 'path' | 'body'> & { readonly query: object };

type Values = Readonly<Record<string, unknown>>;
const asTexts = (query: Values) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().map(String)]));

// Replaces ids of 32 hex digits, because each call generates new ids.
const withoutRandom = (value: unknown): unknown =>
  value === undefined ? null : JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f]{32}/g, 'random'));

const isMcpCall = (body: unknown): body is { method: string; params: Values } =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call';

/** Reduces messages to MCP servers to the call itself, because the rest depends on the protocol version. */
function bodyOf(body: unknown): unknown {
  if (!isMcpCall(body)) return withoutRandom(body);
  const { name, arguments: args } = body.params;
  return withoutRandom({ name, args });
}

const planned = ({ method, path, query = {}, body }: DryRunRequest): Sent => ({
  method,
  // Removes the first path segment: the sandbox serves each upstream under its own prefix.
  path: path.replace(/^\/\w+/, ''),
  query: asTexts(query),
  body: bodyOf(body),
});

const received = ({ method, host, path, query, body }: RecordedRequest): Sent => ({
  method,
  path: host === undefined ? path : `/${host}${path}`,
  query: asTexts(query),
  body: bodyOf(body),
});

/** Ignores the body of a file upload: the plan contains the file in Base64, but the upstream receives its bytes. */
const withPlannedFile = (matched: Sent, plan: Sent | undefined): Sent =>
  JSON.stringify(plan?.body ?? null).includes('"$file"') ? { ...matched, body: plan?.body } : matched;

const isRpc = (body: unknown): boolean => typeof body === 'object' && body !== null && 'jsonrpc' in body;

/** Returns the tool requests that an upstream received, without the MCP messages that open and close a session. */
async function receivedBy(connector: string): Promise<readonly Sent[]> {
  const all = await service.sandbox.requests(connector);
  return all
    .filter(({ body, method }) => isMcpCall(body) || !(isRpc(body) || method === 'DELETE'))
    .map(received);
}

describe('a dry run over HTTP or MCP writes nothing upstream and returns the requests of the call', () => {
  test.each(CASES)('$toolName', async (called) => {
    const { connector, isReadOnly } = called;
    await service.sandbox.clearRequests();
    const planReply = await run(called, { dryRun: true });
    const read = await receivedBy(connector);
    for (const way of OVER_MCP) {
      await service.sandbox.clearRequests();
      const { _meta: meta, ...result } = await planOverMcp(way, called);
      expect(await receivedBy(connector)).toEqual(read);
      if (planReply.status !== 200)
        expect(meta['svc/error']).toMatchObject({ code: planReply.headers.get('svc-error') });
      else {
        expect(firstText(result)).toMatch(/^dry_run: Nothing was done/);
        expect(withoutRandom(meta['svc/dryRun'])).toEqual(withoutRandom(planReply.json()));
      }
    }
    await service.sandbox.clearRequests();
    const reply = await run(called);
    const sent = await receivedBy(connector);
    expect(read.filter(({ method }) => isReadOnly || method !== 'GET')).toEqual([]);
    // Expects an equal error of dry run and call if an object is missing, because the tool reads the object before it
    // writes.
    if (planReply.status !== 200) {
      expect([404, 422, 424, 502]).toContain(planReply.status);
      const outcome = ({ status, headers }: Reply) => [status, headers.get('svc-error')];
      expect(outcome(planReply)).toEqual(outcome(reply));
      return expect(read).toEqual(sent);
    }
    const { requests, isComplete } = dryRunIn(planReply);
    const plan = requests.map(planned);
    expect(read).toEqual(plan.filter((_, index) => requests[index]?.isSent));
    const isAll = reply.status === 200 && isComplete;
    const matched = sent.map((each, index) => withPlannedFile(each, plan[index]));
    expect(plan.slice(0, sent.length)).toEqual(isAll ? matched : matched.slice(0, plan.length));
    expect(plan.length).toBeGreaterThanOrEqual(1);
    if (reply.status === 200) expect(plan.length).toBeLessThanOrEqual(sent.length);
  });
});

const CREATE = {
  connector: 'calendar',
  toolName: 'calendar_create_event',
  toolInput: { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' },
};
const EVENTS = { method: 'POST', path: '/calendar/calendar/v3/calendars/primary/events', isSent: false };

test('a dry run sends the reads of an update and returns the write that depends on them', async () => {
  const made = {
    connector: 'video',
    toolName: 'video_playlist_insert',
    toolInput: { title: 'First', description: 'Kept' },
  };
  const { data } = (await run(made)).json<{ data: { id: string } }>();
  const toolInput = { playlist_id: data.id, title: 'Second' };
  const { requests, isComplete, unknown } = await runDry({
    ...made,
    toolName: 'video_playlist_update',
    toolInput,
  });
  expect(requests).toMatchObject([
    { method: 'GET', isSent: true },
    { method: 'PUT', isSent: false, body: { snippet: { title: 'Second', description: 'Kept' } } },
  ]);
  expect([isComplete, unknown]).toEqual([true, []]);
});

test.each([
  { ...CREATE, identifier: 'nobody', requests: [EVENTS] },
  {
    connector: 'notesmcp',
    toolName: 'notesmcp_list_meetings',
    toolInput: {},
    identifier: 'nobody',
    requests: [{ method: 'POST', body: { method: 'tools/call', params: { name: 'list_meetings' } } }],
  },
  {
    connector: 'scrapermcp',
    toolName: 'scrapermcp_call_actor',
    toolInput: { actor: 'apify/rag-web-browser', input: {} },
    identifier: 'nobody',
    requests: [],
  },
])(
  'a dry run of $toolName as an unauthorized account returns the known requests and the refusal',
  async (called) => {
    const path = `/v1/connections/${called.connector}/accounts/${called.identifier}`;
    const { id } = (await application.call('PUT', path)).json<{ id: string }>();
    await service.sandbox.clearRequests();
    const dry = await runDry({ ...called, accountId: id });
    expect(dry.requests).toMatchObject(called.requests);
    expect(dry.isComplete).toBe(called.requests.length > 0);
    const { error } = (await run({ ...called, accountId: id })).json<{ error: object }>();
    expect({ ...error, requestId: undefined }).toEqual({ ...dry.refusal, requestId: undefined });
    expect(dry.refusal).toMatchObject({
      code: 'account_not_authorized',
      details: { status: 'unauthorized' },
    });
    expect(await service.sandbox.requests()).toEqual([]);
  },
);

test('a dry run checks the input by all rules of the tool', async () => {
  const toolInput = { summary: 'Review', start_datetime: 'tomorrow' };
  const [dry, call] = [
    await run({ ...CREATE, toolInput }, { dryRun: true }),
    await run({ ...CREATE, toolInput }),
  ];
  expect(dry.status).toBe(400);
  const errorIn = (reply: Reply) => ({ ...reply.json<{ error: object }>().error, requestId: '' });
  expect(errorIn(dry)).toEqual(errorIn(call));
});

test('D3: a dry run contains no secret of the account or the input', async () => {
  const identifier = 'secretive';
  const credentials = { timetracking_token: 'sandbox-canary-tracking' };
  const account = { apiKey: 'sandbox-canary-key', credentials };
  const put = await application.call('PUT', `/v1/connections/network/accounts/${identifier}`, {
    body: account,
  });
  const { id: accountId } = put.json<{ id: string }>();
  const plans = [];
  for (const { connector, toolName, toolInput } of CASES) {
    if (connector !== 'network') continue;
    const secret = 'scraper_token' in toolInput ? { scraper_token: 'sandbox-canary-scraper' } : {};
    plans.push(
      (await run({ toolName, toolInput: { ...toolInput, ...secret }, accountId }, { dryRun: true })).text,
    );
  }
  expect(plans.length).toBeGreaterThan(20);
  expect(plans.filter((text) => !text.startsWith('{"dryRun":'))).toEqual([]);
  expect(plans.join('\n')).not.toMatch(/canary|authorization|x-api-key/i);
});

test('a dry run records no execution, keeps the idempotency key unused, and counts as a call', async () => {
  const accountId = (await connectAccount(service, 'calendar', 'limited')).id;
  const called = { ...CREATE, accountId, headers: { 'idempotency-key': 'of-the-call-itself' } };
  const executions = async () =>
    (await application.call('GET', `/v1/executions?accountId=${accountId}`)).json<{ items: object[] }>()
      .items;
  const leftFor = ({ headers }: Reply) => headers.get('ratelimit')?.match(/"account";r=\d+/)?.[0];
  const first = await run(called, { dryRun: true });
  const call = await run(called);
  expect([call.status, call.headers.has('idempotent-replayed')]).toEqual([200, false]);
  // Checks that the dry run counts as one call of the burst of 2,000,000 calls.
  expect(leftFor(first)).toBe(`"account";r=${2_000_000 - 1}`);
  const after = await run(called, { dryRun: true });
  expect(after.json()).toEqual(first.json());
  await expect.poll(executions).toHaveLength(1);
});

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mintToken } from '../support/mcp/agent.js';
import { type Application, signIn } from '../support/service/application.js';
import { addApplication } from '../support/service/second-application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const MIB = 1024 * 1024;
const CALL_ACTOR = 9 * MIB;
/** Largest body limit of all tools, in bytes. */
const LARGEST = 12_582_912;
/** Timeout in ms. Large bodies are slow on a busy machine. */
const PATIENT = { timeout: 20_000 };

let service: Service;
let application: Application;
let token: string;

beforeAll(async () => {
  // A single application may use half of these 32 MiB, so a 9 MiB body fits and a second does not.
  const env = { SVC_RESPONSE_MEMORY: '32' };
  service = await startService({ connectors: ['scrapermcp', 'video', 'workspace'], env });
  application = await signIn(service);
  token = await mintToken(service, { connections: ['scrapermcp', 'video', 'workspace'] });
});
afterAll(() => service.stop());

interface CallRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: object;
}

const json = { 'content-type': 'application/json' };
const MCP = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };

const asHttp = (more: object, headers = {}) => ({
  requestFor: (tool: string): CallRequest => ({
    path: `/v1/tools/${tool}/execute`,
    headers: { ...json, authorization: `Bearer ${application.accessToken}`, ...headers },
    message: { connectedAccountId: 'acct_none', toolInput: {}, ...more },
  }),
  taken: 404,
});
const asMcp = (params: (tool: string) => object, head: (tool: string) => object = () => ({})) => ({
  requestFor: (tool: string): CallRequest => ({
    path: '/mcp',
    headers: { ...json, ...MCP, authorization: `Bearer ${token}`, ...head(tool) },
    message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: params(tool) },
  }),
  taken: 200,
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Every way to call a tool, with the status of a call whose account does not exist. */
const WAYS = [
  { way: 'over HTTP', ...asHttp({}) },
  { way: 'over HTTP, with a key', ...asHttp({}, { 'idempotency-key': 'key_1' }) },
  { way: 'over HTTP, dry', ...asHttp({ dryRun: true }) },
  { way: 'over MCP', ...asMcp((name) => ({ name })) },
  { way: 'over MCP, dry', ...asMcp((name) => ({ name, _meta: { 'svc/dryRun': true } })) },
  {
    way: 'over MCP, with its name in the head',
    ...asMcp(
      (name) => ({ name, _meta: META }),
      (name) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }),
    ),
  },
  {
    way: 'over MCP, by another tool',
    ...asMcp((name) => ({ name: 'call_tool', arguments: { name, arguments: {} } })),
  },
];

const TOOLS = [
  { tool: 'video_videos_insert', most: LARGEST },
  { tool: 'scrapermcp_call_actor', most: CALL_ACTOR },
  { tool: 'workspace_blocks_append', most: 8_000_000 },
  { tool: 'workspace_users_list', most: MIB },
];

/** Begins a request on a new connection. `length` sets the content-length header. */
function begin({ path, headers }: Omit<CallRequest, 'message'>, length?: number): ClientRequest {
  const announced = length === undefined ? {} : { 'content-length': length };
  const options = { method: 'POST', agent: false, headers: { ...headers, ...announced } };
  const request = httpRequest(service.url + path, options);
  request.on('error', () => undefined);
  onTestFinished(() => void request.destroy());
  return request;
}

async function responseOf(request: ClientRequest) {
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, headers: reply.headers, text: await text(reply) };
}

const padded = (message: object, bytes: number) => {
  const written = Buffer.from(JSON.stringify(message));
  return Buffer.concat([written, Buffer.alloc(bytes - written.length, ' ')]);
};

describe.each(WAYS)('A10: the body of a call $way', ({ way, requestFor, taken }) => {
  test.each(TOOLS)('may have $most bytes for $tool', async ({ tool, most }) => {
    const callRequest = requestFor(tool);
    const request = begin(callRequest);
    request.end(padded(callRequest.message, most));
    const response = await responseOf(request);
    expect([response.status, response.text.slice(0, 300)]).toEqual([taken, expect.anything()]);
  });

  test.each(TOOLS)('is refused with more than $most bytes for $tool', async ({ tool, most }) => {
    const callRequest = requestFor(tool);
    const request = begin(callRequest);
    request.end(padded(callRequest.message, most + 1));
    const { status, headers, text: message } = await responseOf(request);
    expect([status, headers['svc-error']]).toEqual([413, 'payload_too_large']);
    // True if the service does not read the body, because it is above the largest limit of all tools. The error then
    // cannot name the tool.
    const isUnread = most === LARGEST && way.startsWith('over MCP') && !way.endsWith('head');
    const ofTool = isUnread ? '' : ` for a call of \\"${tool}\\"`;
    expect(message).toContain(`larger than the maximum of ${most} bytes${ofTool}.`);
  });
});

test.each([
  { title: 'declared', length: LARGEST + 1, sent: 1 },
  { title: 'not declared', length: undefined, sent: LARGEST + 1 },
])(
  'A10: the refusal arrives while the caller is still sending a body whose size is $title',
  async ({ length, sent }) => {
    for (const { way, requestFor } of [WAYS[0], WAYS[3]].filter((one) => one !== undefined)) {
      const request = begin(requestFor('video_videos_insert'), length);
      request.write(Buffer.alloc(sent, ' '));
      const { status, text: message } = await responseOf(request);
      expect([way, status]).toEqual([way, 413]);
      expect(message).toContain(`larger than the maximum of ${LARGEST} bytes`);
    }
  },
);

test.each([
  { title: 'an unknown tool', path: '/v1/tools/workspace_nothing/execute' },
  { title: 'another operation', path: '/v1/connections' },
])('A10: a body for $title may have 1 MiB', async ({ path }) => {
  const headers = { ...json, authorization: `Bearer ${application.accessToken}` };
  const request = begin({ path, headers }, MIB + 1);
  request.write(' ');
  const { status, text: message } = await responseOf(request);
  expect(status).toBe(413);
  expect(message).toContain(`larger than the maximum of ${MIB} bytes.`);
});

test('A10: a large body is limited in its number of JSON values', async () => {
  const { path, headers, message } = asHttp({}).requestFor('scrapermcp_call_actor');
  const send = async (count: number, bytes: number) => {
    const request = begin({ path, headers });
    request.end(padded({ ...message, toolInput: { list: Array(count).fill(1) } }, bytes));
    const response = await responseOf(request);
    return [response.status, /more values than the maximum of 500000/.test(response.text)];
  };
  expect(await send(499_990, 2 * MIB)).toEqual([404, false]);
  expect(await send(500_010, 2 * MIB)).toEqual([400, true]);
  expect(await send(49_900, MIB)).toEqual([404, false]);
  expect((await send(50_010, MIB))[0]).toBe(400);
});

test.each([WAYS[0], WAYS[3]].filter((one) => one !== undefined))(
  'F5: large bodies $way of one application block only its own large bodies',
  async ({ requestFor, taken }) => {
    const callRequest = requestFor('scrapermcp_call_actor');
    const send = async (bytes: number, headers = callRequest.headers) => {
      const request = begin({ ...callRequest, headers }, bytes);
      request.end(padded(callRequest.message, bytes));
      return responseOf(request);
    };
    let slow: ClientRequest | undefined;
    const openSlow = () => {
      const request = begin(callRequest, CALL_ACTOR);
      request.write(Buffer.alloc(MIB, ' '));
      // Forgets the slow request if the service refused it, because it arrived after the second request. The next
      // attempt then opens a new slow request.
      request.once('response', () => (slow = undefined));
      return request;
    };
    const sendSecond = async () => {
      slow ??= openSlow();
      return (await send(CALL_ACTOR)).status;
    };
    await expect.poll(sendSecond, PATIENT).toBe(503);

    const refused = await send(CALL_ACTOR);
    expect([refused.headers['svc-error'], refused.headers['retry-after']]).toEqual(['unavailable', '1']);
    expect((await send(MIB)).status).toBe(taken);
    const { accessToken } = await addApplication(service);
    const other = asHttp({}).requestFor('scrapermcp_call_actor');
    const request = begin({ ...other, headers: { ...json, authorization: `Bearer ${accessToken}` } });
    request.end(padded(other.message, CALL_ACTOR));
    expect((await responseOf(request)).status).toBe(404);

    slow?.destroy();
    await expect.poll(async () => (await send(CALL_ACTOR)).status, PATIENT).toBe(taken);
  },
  60_000,
);

test.each([
  { title: 'no access token', authorization: undefined },
  { title: 'an invalid access token', authorization: 'Bearer nobody' },
])('F5: a caller with $title is refused at once, and its body is not buffered', async ({ authorization }) => {
  for (const { requestFor } of [WAYS[0], WAYS[3]].filter((one) => one !== undefined)) {
    const { path, headers } = requestFor('scrapermcp_call_actor');
    const { authorization: _, ...others } = headers;
    const request = begin(
      { path, headers: { ...others, ...(authorization && { authorization }) } },
      CALL_ACTOR,
    );
    request.write(' ');
    expect((await responseOf(request)).status).toBe(401);
  }
});

test.each([WAYS[0], WAYS[3]].filter((one) => one !== undefined))(
  'F5: a large body $way counts until its tool call ends, even after the caller disconnects',
  async ({ way, requestFor }) => {
    const { id } = await connectAccount(service, 'workspace');
    const input = { block_id: randomUUID(), blocks: [{ type: 'paragraph', text: 'One' }] };
    const { message, ...callRequest } = requestFor('workspace_blocks_append');
    const whole = way.startsWith('over HTTP')
      ? { ...message, connectedAccountId: id, toolInput: input }
      : { ...message, params: { name: 'workspace_blocks_append', arguments: input } };
    await service.sandbox.dials('workspace', { latencyMs: 3000 });
    onTestFinished(() => service.sandbox.dials('workspace', { latencyMs: 0 }).then(() => undefined));
    const left = begin(callRequest);
    left.end(padded(whole, 8_000_000));
    // After 1 s, the tool has sent its upstream request and waits for the response.
    await setTimeout(1000);
    left.destroy();

    const again = async () => {
      const { path, headers } = asHttp({}).requestFor('scrapermcp_call_actor');
      const request = begin({ path, headers });
      request.end(padded({ connectedAccountId: 'acct_none', toolInput: {} }, CALL_ACTOR));
      return (await responseOf(request)).status;
    };
    expect(await again()).toBe(503);
    await expect.poll(again, PATIENT).toBe(404);
  },
  60_000,
);

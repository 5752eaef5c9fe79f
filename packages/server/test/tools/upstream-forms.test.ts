import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connector, type PagedTool, type ToolOptions, type ToolResult } from '@svc/core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newFolder } from '../support/processes/new-folder.js';
import { rejection } from '../support/rejection.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';
import { writeFiles } from '../support/upstreams/parcels.js';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string', description: 'For tests.' };
const map = { type: 'object', description: 'For tests.', additionalProperties: text };
const open = (properties: Json) => ({ type: 'object', additionalProperties: true, properties });

const shop = {
  id: 'shop',
  title: 'Shop',
  description: 'A shop whose API has uncommon forms.',
  api: 'Shop API',
  baseUrl: 'https://shop.example.com',
  auth: { type: 'api_key', inject: { header: 'x-api-key', value: '{credential}' } },
  errors: [
    { status: 401, endsCredential: true },
    { status: 400, rejectsInput: true, body: { fault: {} } },
  ],
  errorText: ['/fault/faultstring'],
  retry: { attempts: 2, baseMs: 1 },
};

interface ToolFile {
  readonly name: string;
  readonly isRead: boolean;
  readonly properties: Json;
  readonly version: Json;
}

const toolFile = ({ name, isRead, properties, version }: ToolFile) => ({
  name,
  title: 'A tool of the shop',
  description: 'A tool of the shop with an uncommon form, for tests only.',
  hints: { readOnly: isRead, destructive: false, idempotent: isRead },
  versions: [
    {
      schema_version: '1.0.0',
      tool_version: '1.0.0',
      status: 'current',
      input: { type: 'object', additionalProperties: false, properties },
      output: open({}),
      ...version,
    },
  ],
  examples: [{ title: 'One', input: {} }],
});

const items = { type: 'array', items: open({ id: text }) };

/** Orders as in Stripe: the id of the last order requests the next page, and a flag marks the last page. */
const orders = toolFile({
  name: 'shop_orders',
  isRead: true,
  properties: { starting_after: text },
  version: {
    output: open({ data: items, has_more: { type: 'boolean' }, next: { type: ['string', 'null'] } }),
    request: { method: 'GET', path: '/orders', query: { starting_after: '{starting_after}' } },
    paging: { input: 'starting_after', output: 'next', items: 'data', last: 'id', more: 'has_more' },
  },
});

/** Notes as in a Relay connection: a cursor on every page, and a flag on the last one. */
const notes = toolFile({
  name: 'shop_notes',
  isRead: true,
  properties: { after: text },
  version: {
    output: open({ nodes: items, pageInfo: open({ hasNextPage: { type: 'boolean' }, endCursor: text }) }),
    request: { method: 'GET', path: '/notes', query: { after: '{after}' } },
    paging: {
      input: 'after',
      output: 'pageInfo/endCursor',
      items: 'nodes',
      more: 'pageInfo/hasNextPage',
    },
  },
});

const pay = (name: string, version: Json = {}) =>
  toolFile({
    name,
    isRead: false,
    properties: { metadata: map, items: { type: 'array', description: 'For tests.', items: map } },
    version: {
      request: {
        method: 'POST',
        path: '/payments',
        encoding: 'form',
        nested: 'brackets',
        idempotencyHeader: 'Idempotency-Key',
        body: { kind: 'card', metadata: '{metadata}', items: '{items}' },
      },
      ...version,
    },
  });

const refund = pay('shop_refund', { response: { errors: [{ status: 410, data: { isRefunded: false } }] } });

const note = toolFile({
  name: 'shop_note',
  isRead: false,
  properties: {},
  version: { request: { method: 'POST', path: '/notes' } },
});

const FILES = {
  'shop/connector.json': shop,
  ...Object.fromEntries(
    [orders, notes, pay('shop_pay'), refund, note].map((tool) => [`shop/tools/${tool.name}.json`, tool]),
  ),
};

interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Scripted response of the upstream. `lost` closes the connection instead of sending a response. */
type Scripted = 'lost' | { readonly status?: number; readonly body: unknown };

interface Shop {
  readonly orders: PagedTool<{ starting_after?: string }, Json, Json>;
  readonly notes: PagedTool<{ after?: string }, Json, Json>;
  pay(input: Json, options?: ToolOptions): Promise<ToolResult<Json>>;
  refund(input: Json, options?: ToolOptions): Promise<ToolResult<Json>>;
  note(input: Json, options?: ToolOptions): Promise<ToolResult<Json>>;
}

const connect = connector<Shop>('shop', {
  orders: { reads: true, page: 'data' },
  notes: { reads: true, page: 'nodes' },
  pay: {},
  refund: {},
  note: {},
});

// Connections with a retry budget of their own, because a budget allows few retries at once.
const LOSSY = 'lossy';
const OTHER_LOSSY = 'other-lossy';

let upstream: Server;
let url: string;
let service: Service;
let owner: Application;
let received: Received[];
/** Responses of the upstream in order. The last one repeats. */
let script: Scripted[];

beforeAll(async () => {
  // The client waits for a random time before each retry. A random number of 0 removes the wait.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  upstream = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ url: request.url ?? '', headers: request.headers, body });
    const scripted = (script.length > 1 ? script.shift() : script[0]) ?? 'lost';
    if (scripted === 'lost') request.socket.destroy();
    else
      response
        .writeHead(scripted.status ?? 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(scripted.body));
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const flags = ['--catalog', writeFiles(newFolder(), FILES), '--allowed-origins', `shop=${url}`];
  service = await startService({ connectors: [], flags });
  owner = await signIn(service);
  for (const connectionName of ['shop', LOSSY, OTHER_LOSSY])
    await service.svc.call({
      method: 'POST',
      path: '/v1/connections',
      body: { connectionName, connector: 'shop', baseUrl: url },
    });
});

afterAll(async () => {
  await service.stop();
  upstream.close();
  upstream.closeAllConnections();
});

beforeEach(() => {
  received = [];
  script = [{ body: {} }];
});

/** Connects the account of a user again, so that its credential is valid. */
async function shopOf(identifier = 'ada', connectionName = 'shop'): Promise<Shop> {
  return connect(service.svc, await accountOf(identifier, connectionName));
}

const accountOf = (identifier: string, connectionName: string) =>
  service.svc.getOrCreateConnectedAccount({ connectionName, identifier, apiKey: 'key-of-the-shop' });

const keys = () => received.map(({ headers }) => headers['idempotency-key']);

async function collect(list: AsyncIterable<Json>): Promise<unknown[]> {
  const ids = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

test('pages by the id of the last item end when the flag is false', async () => {
  script = [
    { body: { data: [{ id: 'a' }, { id: 'b' }], has_more: true } },
    { body: { data: [{ id: 'c' }], has_more: false } },
  ];
  expect(await collect((await shopOf()).orders.each({}))).toEqual(['a', 'b', 'c']);
  expect(received.map((each) => each.url)).toEqual(['/orders', '/orders?starting_after=b']);
});

test('pages by the id of the last item end at an empty page if the upstream sends no flag', async () => {
  script = [{ body: { data: [{ id: 'a' }] } }, { body: { data: [] } }];
  expect(await collect((await shopOf()).orders.each({}))).toEqual(['a']);
});

test('pages end when the flag is false, although the last page has a cursor', async () => {
  script = [
    { body: { nodes: [{ id: 'a' }], pageInfo: { hasNextPage: true, endCursor: 'c1' } } },
    { body: { nodes: [], pageInfo: { hasNextPage: true, endCursor: 'c2' } } },
    { body: { nodes: [{ id: 'b' }], pageInfo: { hasNextPage: false, endCursor: 'c3' } } },
  ];
  expect(await collect((await shopOf()).notes.each({}))).toEqual(['a', 'b']);
  expect(received.map((each) => each.url)).toEqual(['/notes', '/notes?after=c1', '/notes?after=c2']);
});

test.each([
  { title: 'no cursor', body: { nodes: [{ id: 'a' }], pageInfo: { hasNextPage: true } }, list: 'notes' },
  { title: 'no last item', body: { data: [], has_more: true }, list: 'orders' },
] as const)(
  'a page that reports further pages with $title is an error with the page',
  async ({ body, list }) => {
    script = [{ body }];
    const shopTools = await shopOf();
    const call = list === 'notes' ? shopTools.notes({}) : shopTools.orders({});
    expect(await rejection(call)).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('The upstream reports further pages'),
      details: { status: 200, body },
    });
  },
);

test('pages that repeat a cursor end with an error', async () => {
  script = [{ body: { nodes: [{ id: 'a' }], pageInfo: { hasNextPage: true, endCursor: 'c1' } } }];
  const shopTools = await shopOf();
  expect(await rejection(collect(shopTools.notes.each({})))).toMatchObject({ code: 'repeated_page_token' });
  expect(received).toHaveLength(2);
});

test('a form writes nested values with brackets and escapes names and values', async () => {
  const input = { metadata: { 'a&b=c': '1 + 1', ü: '%' }, items: [{ price: 'p1' }, { price: 'p2' }] };
  await (await shopOf()).pay(input);
  expect(received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(received[0]?.body).toContain('metadata%5Ba%26b%3Dc%5D=1+%2B+1');
  expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toEqual({
    kind: 'card',
    'metadata[a&b=c]': '1 + 1',
    'metadata[ü]': '%',
    'items[0][price]': 'p1',
    'items[1][price]': 'p2',
  });
});

test('a form refuses a key that would become another field, and sends nothing', async () => {
  const input = { metadata: { 'a][kind': 'cash' } };
  expect(await rejection((await shopOf()).pay(input))).toMatchObject({
    code: 'invalid_input',
    details: { errors: [{ field: 'metadata', message: expect.stringContaining('contains [ or ]') }] },
  });
  expect(received).toEqual([]);
});

test('an error quotes the text at the path that the connector declares', async () => {
  script = [{ status: 400, body: { fault: { faultstring: 'No seats left.', code: 7 } } }];
  expect(await rejection((await shopOf()).note({}))).toMatchObject({
    details: { status: 400, reason: 'input_rejected' },
    message: expect.stringContaining('Shop responded with 400: "No seats left".'),
  });
});

test('a lost response is retried with the same key, which is not the key of the application', async () => {
  script = ['lost', { body: {} }];
  await (await shopOf()).pay({}, { idempotencyKey: 'order-4711' });
  const [first, second] = keys();
  expect([received.length, second]).toEqual([2, first]);
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(JSON.stringify(received)).not.toContain('order-4711');
});

test('a lost response without a key for the upstream is not retried', async () => {
  script = ['lost', { body: {} }];
  expect(await rejection((await shopOf()).note({}, { maxRetries: 0 }))).toMatchObject({
    code: 'connection_failed',
  });
  expect(keys()).toEqual([undefined]);
});

/** Outcome of a write whose first attempt got no response, so that it may have taken effect. */
const UNKNOWN = {
  message: expect.stringContaining('An earlier attempt of this request may have taken effect'),
  details: { attempts: 2, reason: 'outcome_unknown', repeatable: false },
};

test.each([
  { status: 400, body: { fault: { faultstring: 'No seats left.' } }, code: 'upstream_failed' },
  { status: 404, body: {}, code: 'upstream_failed' },
  { status: 401, body: {}, code: 'account_not_authorized' },
])('a lost response before a $status leaves the outcome unknown, and is not repeated', async (refusal) => {
  script = ['lost', refusal];
  const options = { idempotencyKey: `lost-before-${refusal.status}` };
  const call = async () => rejection((await shopOf('ada', LOSSY)).pay({}, options));
  expect(await call()).toMatchObject({ code: refusal.code, ...UNKNOWN });
  expect(await call()).toMatchObject({ code: refusal.code, ...UNKNOWN });
  expect(received).toHaveLength(2);
});

test('a lost response before an error that the tool declares as a result leaves the outcome unknown', async () => {
  const gone = { status: 410, body: {} };
  const lossy = await shopOf('eve', OTHER_LOSSY);
  script = [gone];
  expect((await lossy.refund({})).data).toEqual({ isRefunded: false });
  script = ['lost', gone];
  expect(await rejection(lossy.refund({}))).toMatchObject({ code: 'upstream_failed', ...UNKNOWN });
});

test('the execution of a write with an unknown outcome lists both attempts', async () => {
  script = ['lost', { status: 400, body: { fault: { faultstring: 'No seats left.' } } }];
  const { id } = await accountOf('ada', OTHER_LOSSY);
  const reply = await owner.call('POST', '/v1/tools/shop_pay/execute', {
    body: { connectedAccountId: id, toolInput: {} },
  });
  // The upstream's last response alone would be 422.
  expect(reply.status, reply.text).toBe(502);
  const list = async () =>
    (await owner.call('GET', `/v1/executions?accountId=${id}`)).json<{ items: { id: string }[] }>().items;
  await expect.poll(list).toHaveLength(1);
  const [execution] = await list();
  expect((await owner.call('GET', `/v1/executions/${execution?.id}`)).json()).toMatchObject({
    status: 502,
    errorCode: 'upstream_failed',
    upstreamStatus: 400,
    cause: { reason: 'outcome_unknown', upstreamMessage: 'No seats left' },
    requests: [{ failure: 'closed' }, { status: 400 }],
  });
});

test('H1: an approved write with an unknown outcome does not run again', async () => {
  const approve = { default: 'always', tools: {} };
  const changed = await owner.call('PATCH', `/v1/connections/${OTHER_LOSSY}`, { body: { approve } });
  expect(changed.status, changed.text).toBe(200);
  const call = async () => rejection((await shopOf('ada', OTHER_LOSSY)).pay({}, { idempotencyKey: '' }));
  const { details } = (await call()) as { readonly details: { readonly id: string } };
  await owner.call('POST', `/v1/approvals/${details.id}`, { body: { decision: 'approve' } });
  script = ['lost', { status: 401, body: {} }];
  expect(await call()).toMatchObject({ code: 'account_not_authorized', ...UNKNOWN });
  expect(await call()).toMatchObject({ code: 'account_not_authorized', ...UNKNOWN });
  expect(received).toHaveLength(2);
});

test('a repeated call with the same idempotency key sends the same key again', async () => {
  script = [{ status: 401, body: {} }, { body: {} }];
  const options = { idempotencyKey: 'same' };
  expect(await rejection((await shopOf()).pay({}, options))).toMatchObject({
    code: 'account_not_authorized',
  });
  await (await shopOf()).pay({}, options);
  const [first, second] = keys();
  expect([received.length, second]).toEqual([2, first]);
});

test('calls without an idempotency key, of other accounts or of other tools send different keys', async () => {
  const [ada, eve] = [await shopOf('ada'), await shopOf('eve')];
  const none = { idempotencyKey: '' };
  await ada.pay({}, none);
  await ada.pay({}, none);
  await ada.refund({}, none);
  await eve.pay({}, none);
  expect(keys()).not.toContain(undefined);
  expect(new Set(keys()).size).toBe(4);
});

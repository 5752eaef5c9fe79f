import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type McpSession, openSession } from './session.js';

const TOKEN = 'sandbox-token';
const TOOL = 'get-key-value-store-record';

let sandbox: Sandbox;
let session: McpSession;
let store: string;
let api: string;

const rest = (path: string, init: RequestInit = {}) =>
  fetch(api + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${TOKEN}` } });
const put = (key: string, contentType: string, body: Uint8Array | string) =>
  rest(`/v2/key-value-stores/${store}/records/${key}`, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body,
  });

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['scrapermcp'] });
  const { baseUrl, hosts } = sandbox.upstream('scrapermcp');
  api = hosts?.['api'] ?? '';
  const made = (await (await rest('/v2/key-value-stores?name=results', { method: 'POST' })).json()) as {
    data: { id: string };
  };
  store = made.data.id;
  await put('note', 'text/plain', 'Hello');
  await put('small', 'image/png', new Uint8Array([1, 2, 3]));
  await put('large', 'image/png', new Uint8Array(256 * 1024 + 1));
  session = await openSession(`${baseUrl}/?tools=${TOOL},get-dataset-items`, TOKEN);
});
afterAll(() => sandbox.stop());

const uriOf = (key: string) => `${api}/v2/key-value-stores/${store}/records/${key}`;

test.each([
  { key: 'note', item: { type: 'text' } },
  {
    key: 'small',
    item: { type: 'resource', resource: { uri: 'its address', mimeType: 'image/png', blob: 'AQID' } },
  },
  { key: 'large', item: { type: 'resource_link', uri: 'its address', size: 262_145, mimeType: 'image/png' } },
])('the tool returns the record "$key" in the form for its type and size', async ({ key, item }) => {
  const { message } = await session.call(TOOL, { keyValueStoreId: store, recordKey: key });
  const expected = JSON.parse(JSON.stringify(item).replace('its address', uriOf(key)));
  expect(message.result.content[0]).toMatchObject(expected);
  expect(message.result.structuredContent).toMatchObject({ keyValueStoreId: store, key });
});

test.each([
  { key: 'note', content: { mimeType: 'text/plain', text: 'Hello' } },
  { key: 'small', content: { mimeType: 'image/png', blob: 'AQID' } },
  { key: 'large', content: { mimeType: 'text/plain', text: expect.stringContaining('inline limit') } },
])('resources/read returns the record "$key" by its URI', async ({ key, content }) => {
  const { message } = await session.request('resources/read', { uri: uriOf(key) });
  expect(message.result.contents).toEqual([{ uri: uriOf(key), ...content }]);
});

test('resources/read refuses a missing record and a foreign URI', async () => {
  for (const uri of [uriOf('none'), `http://localhost:1/v2/key-value-stores/${store}/records/note`]) {
    const { message } = await session.request('resources/read', { uri });
    expect(message.error).toMatchObject({ code: -32602, data: { uri } });
  }
});

test('the query parameter method overrides the HTTP method', async () => {
  const record = `/v2/key-value-stores/${store}/records/short-lived`;
  await rest(`${record}?method=PUT`, { method: 'POST', body: 'x' });
  expect((await rest(record)).status).toBe(200);
  expect((await rest(`${record}?method=DELETE`)).status).toBe(204);
  expect((await rest(record)).status).toBe(404);
});

test.each([
  { title: 'unchanged', how: {}, items: [{ url: 'a', '#seen': 1, text: 'A' }, { '#seen': 2 }] },
  { title: 'without hidden fields if clean is set', how: { clean: true }, items: [{ url: 'a', text: 'A' }] },
  { title: 'without omitted fields', how: { omit: 'text,#seen' }, items: [{ url: 'a' }, {}] },
])('both servers return pushed items $title', async ({ how, items }) => {
  const made = (await (await rest('/v2/datasets', { method: 'POST' })).json()) as { data: { id: string } };
  const datasetId = made.data.id;
  await rest(`/v2/datasets/${datasetId}/items`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ url: 'a', '#seen': 1, text: 'A' }, { '#seen': 2 }]),
  });
  const query = new URLSearchParams(
    Object.entries(how).map(([name, value]): [string, string] => [name, String(value)]),
  );

  expect(await session.result('get-dataset-items', { datasetId, ...how })).toMatchObject({
    items,
    totalItemCount: 2,
  });
  expect(await (await rest(`/v2/datasets/${datasetId}/items?${query}`)).json()).toEqual(items);
});

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Application, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const ID = 'scrapermcp';
const TOOL = 'get-key-value-store-record';
const NOTE = 'Hello';
/** Record with more than 256 KiB, so that the upstream returns a link instead of the content. */
const LARGE = Buffer.alloc(256 * 1024 + 1, 7);

let service: Service;
let application: Application;
/** Proxy URL of the account. */
let proxyUrl: string;
let upstream: string;
let storeId: string;

const proxied = (path: string, init: RequestInit = {}) =>
  fetch(proxyUrl + path, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${application.accessToken}` },
  });

beforeAll(async () => {
  service = await startService({ connectors: [ID] });
  const { connectionName, identifier } = await connectAccount(service, ID);
  application = await signIn(service);
  proxyUrl = `${service.url}/v1/proxy/${connectionName}/${identifier}`;
  upstream = service.sandbox.upstream(ID).hosts?.['api'] ?? '';
  const made = await proxied('/v2/key-value-stores?name=results', { method: 'POST' });
  storeId = ((await made.json()) as { data: { id: string } }).data.id;
  const put = (key: string, type: string, body: Uint8Array<ArrayBuffer> | string) =>
    proxied(`/v2/key-value-stores/${storeId}/records/${key}`, {
      method: 'PUT',
      headers: { 'content-type': type },
      body,
    });
  await put('note', 'text/plain', NOTE);
  await put('small', 'image/png', new Uint8Array([1, 2, 3]));
  await put('large', 'image/png', LARGE);
});
afterAll(() => service.stop());
afterEach(() => service.sandbox.dials(ID, { mcpResponses: 'sse', mcpSpeaks: 'sessions' }));

const pathOf = (key: string) => `/v2/key-value-stores/${storeId}/records/${key}`;
const record = (recordKey: string) => ({ name: TOOL, arguments: { keyValueStoreId: storeId, recordKey } });

async function connect(version: '2025-11-25' | '2026-07-28', headers: Readonly<Record<string, string>> = {}) {
  const options = version === '2026-07-28' ? { versionNegotiation: { mode: { pin: version } } } : {};
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  const authorization = `Bearer ${application.accessToken}`;
  const requestInit = { headers: { authorization, ...headers } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${proxyUrl}?tools=${TOOL}`), { requestInit }),
  );
  return client;
}

const SERVERS = [
  { speaks: 'sessions', format: 'sse', version: '2025-11-25' },
  { speaks: 'sessions', format: 'json', version: '2025-11-25' },
  { speaks: 'stateless', format: 'sse', version: '2026-07-28' },
  { speaks: 'stateless', format: 'json', version: '2026-07-28' },
] as const;

describe.each(SERVERS)('the proxy of a server that responds by $format in $version', (server) => {
  const open = async (headers?: Readonly<Record<string, string>>) => {
    await service.sandbox.dials(ID, { mcpSpeaks: server.speaks, mcpResponses: server.format });
    return connect(server.version, headers);
  };

  test('serves a linked resource with the access token of the service', async () => {
    const client = await open();
    const { content } = await client.callTool(record('large'));
    expect(content).toEqual([
      expect.objectContaining({ type: 'resource_link', uri: proxyUrl + pathOf('large') }),
    ]);
    const [link] = content;
    const response = await fetch(link?.type === 'resource_link' ? link.uri : '', {
      headers: { authorization: `Bearer ${application.accessToken}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(LARGE)).toBe(true);
    await client.close();
  });

  test('serves an embedded resource by its rewritten and its original URI', async () => {
    const client = await open();
    const { content } = await client.callTool(record('small'));
    const uri = proxyUrl + pathOf('small');
    expect(content).toEqual([{ type: 'resource', resource: { uri, mimeType: 'image/png', blob: 'AQID' } }]);
    const read = { uri: proxyUrl + pathOf('note'), mimeType: 'text/plain', text: NOTE };
    for (const base of [proxyUrl, upstream])
      expect((await client.readResource({ uri: base + pathOf('note') })).contents).toEqual([read]);
    await client.close();
  });

  test.each([
    { links: 'rewrite', wanted: () => upstream },
    { links: 'keep', wanted: () => proxyUrl },
  ])('handles a link in tool arguments with svc-links: $links', async ({ links, wanted }) => {
    const client = await open({ 'svc-links': links });
    await service.sandbox.clearRequests();
    await client.callTool(record(`${proxyUrl}/v2/a?b=${encodeURIComponent(proxyUrl)}`));
    const bodies = (await service.sandbox.requests(ID)).map(({ body }) => body);
    const link = `${wanted()}/v2/a?b=${encodeURIComponent(proxyUrl)}`;
    const { name, arguments: given } = record(link);
    expect(bodies).toContainEqual(
      expect.objectContaining({ params: expect.objectContaining({ name, arguments: given }) }),
    );
    await client.close();
  });

  test('keeps the links with svc-links: keep', async () => {
    const client = await open({ 'svc-links': 'keep' });
    const { content } = await client.callTool(record('large'));
    expect(content).toEqual([expect.objectContaining({ uri: upstream + pathOf('large') })]);
    await expect(client.readResource({ uri: proxyUrl + pathOf('note') })).rejects.toThrow('Failed to read');
    await client.close();
  });
});

describe('a response of the proxy', () => {
  const call = async (links: string, body: object): Promise<string> => {
    const response = await proxied(`?tools=${TOOL}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': TOOL,
        'svc-links': links,
      },
      body: JSON.stringify(body),
    });
    return response.text();
  };
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };

  test.each(['sse', 'json'] as const)('differs only in its links, as %s', async (mcpResponses) => {
    await service.sandbox.dials(ID, { mcpSpeaks: 'stateless', mcpResponses });
    const params = { ...record('large'), _meta: META };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const [original, rewritten] = [await call('keep', body), await call('rewrite', body)];
    expect(original).toContain(`"uri":"${upstream}`);
    expect(rewritten).toBe(original.replace(`"uri":"${upstream}`, `"uri":"${proxyUrl}`));
  });
});

test('a response from the proxy port contains links to the proxy port', async () => {
  const body = { identifier: 'user_42', connections: [ID], expiresIn: 600 };
  const { token } = (await application.call('POST', '/v1/account-tokens', { body })).json<{
    token: string;
  }>();
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const url = new URL(`${service.proxyUrl}/?tools=${TOOL}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const uri = service.proxyUrl + pathOf('note');
  expect((await client.readResource({ uri })).contents).toEqual([
    { uri, mimeType: 'text/plain', text: NOTE },
  ]);
  await client.close();
});

import type { Connector } from '@svc/catalog';
import { describe, expect, test } from 'vitest';
import { createLinks } from './links.js';
import { restoreMcpBody, restoreMcpHeaders, rewriteMcpLinks } from './mcp-links.js';

const scraper: Connector = {
  id: 'scraper',
  title: 'Scraper',
  service: 'Scraper',
  description: 'A connector that only this test knows.',
  api: 'Scraper MCP server',
  baseUrl: 'https://mcp.scraper.example',
  hosts: { api: { baseUrl: 'https://api.scraper.example', headers: {} } },
  headers: {},
  mcp: { path: '/?tools=a' },
  proxy: { routes: [{ path: '/v2/', host: 'api' }, { path: '/' }] },
  auth: { type: 'api_key', inject: { header: 'X-Key', value: '{credential}' }, credentials: [] },
  errors: [],
  retry: { attempts: 1, baseMs: 1, capMs: 1 },
  types: {},
  tools: [],
};
const { proxy: _, ...unrouted } = scraper;
const notes: Connector = {
  ...unrouted,
  id: 'notes',
  baseUrl: 'https://mcp.notes.example/base',
  mcp: { path: '/mcp' },
};
const links = createLinks(new Map([scraper, notes].map((connector) => [connector.id, connector])), []);
const PROXY_URL = 'https://svc.example/v1/proxy/conn/user%2042';
const at = ({ id, baseUrl }: Connector) => ({
  account: { connector: id, baseUrl, hosts: {} },
  proxyUrl: PROXY_URL,
});

const result = (uri: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { contents: [{ uri, text: uri }] } });
const rewritten = (uri: string, connector: Connector): string => {
  const edit = rewriteMcpLinks('application/json; charset=utf-8', links, at(connector));
  const led = Buffer.concat([
    edit?.take(Buffer.from(result(uri))) ?? Buffer.of(),
    edit?.rest() ?? Buffer.of(),
  ]);
  return JSON.parse(led.toString()).result.contents[0].uri;
};
const request = (uri: string) => JSON.stringify({ method: 'resources/read', params: { uri } });
const requested = (
  uri: string,
  connector: Connector,
  headers = { 'content-type': 'application/json' },
): string => {
  const { body } = restoreMcpBody(
    { body: Buffer.from(request(uri)) },
    { headers, links, proxied: at(connector) },
  );
  return JSON.parse(String(body)).params.uri;
};

describe('the URI of an MCP resource', () => {
  test.each([
    {
      connector: scraper,
      uri: 'https://api.scraper.example/v2/stores/a%2Fb/records/c?x=%20&y',
      path: '/v2/stores/a%2Fb/records/c?x=%20&y',
    },
    { connector: scraper, uri: 'https://mcp.scraper.example/a?b=c?d', path: '/a?b=c?d' },
    { connector: notes, uri: 'https://mcp.notes.example/base/d/1', path: '/d/1' },
  ])('is rewritten for a known host and restored in a request: $uri', ({ connector, uri, path }) => {
    const led = rewritten(uri, connector);
    expect(led).toBe(PROXY_URL + path);
    expect(requested(led, connector)).toBe(uri);
    const head = ['Mcp-Method', 'resources/read', 'Mcp-Name', led];
    expect(restoreMcpHeaders(head, links, at(connector))).toEqual([...head.slice(0, 3), uri]);
  });

  test.each([
    { title: 'names another host', uri: 'https://elsewhere.example/v2/a' },
    { title: 'names a host with the same prefix', uri: 'https://api.scraper.example.evil.example/v2/a' },
    { title: 'has a path without a route', uri: 'https://api.scraper.example/v3/a' },
    { title: 'has a path that is routed to another host', uri: 'https://mcp.scraper.example/v2/a' },
    { title: 'has a user name', uri: 'https://me@api.scraper.example/v2/a' },
    { title: 'has a fragment, which would be lost', uri: 'https://api.scraper.example/v2/a#part' },
    { title: 'spells the host differently', uri: 'https://API.scraper.example:443/v2/a' },
    { title: 'has a signature', uri: 'https://api.scraper.example/v2/a?b=1&signature=x' },
    { title: 'has an S3 signature', uri: 'https://api.scraper.example/v2/a?X-Amz-Signature=x' },
    { title: 'has an Azure signature', uri: 'https://api.scraper.example/v2/a?sv=1&sig=x' },
    { title: 'has another scheme', uri: 'file:///v2/a' },
    { title: 'belongs to a widget', uri: 'ui://api.scraper.example/v2/a' },
  ])('is unchanged when it $title', ({ uri }) => {
    expect(rewritten(uri, scraper)).toBe(uri);
    expect(requested(uri, scraper)).toBe(uri);
  });

  test.each([
    'https://svc.example/v1/proxy/conn/user_43/v2/a',
    'https://svc.example/v1/proxy/conn/user%2042',
    'https://svc.example/v1/proxy/conn/user%204200/v2/a',
    'https://other.example/v1/proxy/conn/user%2042/v2/a',
  ])('is not restored for another account: %s', (uri) => {
    expect(requested(uri, scraper)).toBe(uri);
    expect(restoreMcpHeaders(['mcp-name', uri], links, at(scraper))).toEqual(['mcp-name', uri]);
  });

  test('is restored only in a readable body', () => {
    const led = `${PROXY_URL}/v2/a`;
    expect(requested(led, scraper, { 'content-type': 'text/plain' })).toBe(led);
    const encoded = { 'content-type': 'application/json', 'content-encoding': 'br' };
    expect(requested(led, scraper, encoded)).toBe(led);
    for (const type of ['text/html', 'application/jsonl', undefined])
      expect(rewriteMcpLinks(type, links, at(scraper))).toBeUndefined();
  });
});

/** Returns the JSON-RPC message that the MCP server receives if the client sends `message` through the proxy. */
const sent = (message: object, connector: Connector = scraper): unknown => {
  const headers = { 'content-type': 'application/json' };
  const context = { headers, links, proxied: at(connector) };
  return JSON.parse(String(restoreMcpBody({ body: Buffer.from(JSON.stringify(message)) }, context).body));
};

describe('a rewritten link in an MCP request', () => {
  const LED = `${PROXY_URL}/v2/stores/a%2Fb?x=%20&y`;
  const OWN = 'https://api.scraper.example/v2/stores/a%2Fb?x=%20&y';
  const call = (given: unknown) => ({ method: 'tools/call', params: { name: 't', arguments: given } });

  test.each([
    { title: 'a tool', make: (link: string) => call({ url: link, more: [{ deep: { links: [link, 7] } }] }) },
    {
      title: 'a prompt',
      make: (link: string) => ({ method: 'prompts/get', params: { arguments: { link }, name: 'p' } }),
    },
    {
      title: 'a completion',
      make: (link: string) => ({
        method: 'completion/complete',
        params: {
          ref: { type: 'ref/prompt', name: 'p' },
          argument: { name: 'link', value: link },
          context: { arguments: { before: link } },
        },
      }),
    },
  ])('is restored in the arguments of $title', ({ make }) => {
    expect(sent(make(LED))).toEqual(make(OWN));
  });

  test.each([
    'https://svc.example/v1/proxy/conn/user_43/v2/a',
    'https://svc.example/v1/proxy/conn/user%204200/v2/a',
    'https://svc.example/v1/proxy/other/user%2042/v2/a',
    'https://svc.example.evil.example/v1/proxy/conn/user%2042/v2/a',
    'https://svc.example@evil.example/v1/proxy/conn/user%2042/v2/a',
    'http://svc.example/v1/proxy/conn/user%2042/v2/a',
    'https://api.scraper.example/v2/a',
    `see ${PROXY_URL}/v2/a`,
    ` ${PROXY_URL}/v2/a`,
    PROXY_URL,
  ])('is unchanged for another account or path, or when it is no link: %s', (link) => {
    expect(sent(call({ link, [LED]: link }))).toEqual(call({ link, [LED]: link }));
    expect(restoreMcpHeaders(['Mcp-Param-Link', link], links, at(scraper))).toEqual(['Mcp-Param-Link', link]);
  });

  test.each([
    { method: 'tools/call', params: { name: LED, _meta: { link: LED }, arguments: LED } },
    { method: 'tools/call', params: { task: { arguments: { link: LED } } }, arguments: { link: LED } },
    { method: 'x', result: { arguments: { link: LED } }, error: { data: { params: { uri: LED } } } },
  ])('is unchanged outside of arguments: %j', (message) => {
    expect(sent(message)).toEqual(message);
  });

  test('is restored in the headers too', () => {
    const encode = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    const head = (link: string, word: string) => [
      ...['Mcp-Param-Url', link, 'MCP-PARAM-Word', encode(`${link}/${word}`), 'Mcp-Method', link],
      ...['X-Mcp-Param-Url', link, 'mcp-name', encode('ü'), 'mcp-param-broken', '=?base64?#?='],
    ];
    const made = restoreMcpHeaders(head(LED, 'ü'), links, at(scraper));
    const wanted = head(OWN, 'ü');
    // Expects the proxy link in Mcp-Method and X-Mcp-Param-Url, because MCP servers do not compare these headers with
    // the body.
    wanted[5] = LED;
    wanted[7] = LED;
    expect(made).toEqual(wanted);
  });
});

test.each([
  { connector: scraper, path: '/', isMcp: true },
  { connector: scraper, path: '/', host: 'api', isMcp: false },
  { connector: scraper, path: '/v2/a', isMcp: false },
  { connector: notes, path: '/mcp', isMcp: true },
  { connector: notes, path: '/mcp/', isMcp: true },
  { connector: notes, path: '/mcp/x', isMcp: false },
])(
  'the MCP server of a connector is only at its own path: $connector.id $path',
  ({ connector, path, host, isMcp }) => {
    expect(links.isMcp({ connector: connector.id }, { path, host })).toBe(isMcp);
  },
);

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
const PLACE = 'https://svc.example/v1/proxy/conn/user%2042';
const at = ({ id, baseUrl }: Connector) => ({
  account: { connector: id, baseUrl, hosts: {} },
  proxyUrl: PLACE,
});

const result = (uri: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { contents: [{ uri, text: uri }] } });
const answered = (uri: string, connector: Connector): string => {
  const edit = rewriteMcpLinks('application/json; charset=utf-8', links, at(connector));
  const led = Buffer.concat([
    edit?.take(Buffer.from(result(uri))) ?? Buffer.of(),
    edit?.rest() ?? Buffer.of(),
  ]);
  return JSON.parse(led.toString()).result.contents[0].uri;
};
const request = (uri: string) => JSON.stringify({ method: 'resources/read', params: { uri } });
const asked = (
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

describe('the name of a resource', () => {
  test.each([
    {
      connector: scraper,
      uri: 'https://api.scraper.example/v2/stores/a%2Fb/records/c?x=%20&y',
      path: '/v2/stores/a%2Fb/records/c?x=%20&y',
    },
    { connector: scraper, uri: 'https://mcp.scraper.example/a?b=c?d', path: '/a?b=c?d' },
    { connector: notes, uri: 'https://mcp.notes.example/base/d/1', path: '/d/1' },
  ])(
    'of an own host leads back, and is the same again when it is asked for: $uri',
    ({ connector, uri, path }) => {
      const led = answered(uri, connector);
      expect(led).toBe(PLACE + path);
      expect(asked(led, connector)).toBe(uri);
      const head = ['Mcp-Method', 'resources/read', 'Mcp-Name', led];
      expect(restoreMcpHeaders(head, links, at(connector))).toEqual([...head.slice(0, 3), uri]);
    },
  );

  test.each([
    { title: 'another host', uri: 'https://elsewhere.example/v2/a' },
    { title: 'a host that begins alike', uri: 'https://api.scraper.example.evil.example/v2/a' },
    { title: 'a path that no route takes there', uri: 'https://api.scraper.example/v3/a' },
    { title: 'a path that would come back at another host', uri: 'https://mcp.scraper.example/v2/a' },
    { title: 'a user name', uri: 'https://me@api.scraper.example/v2/a' },
    { title: 'a fragment, which would be lost', uri: 'https://api.scraper.example/v2/a#part' },
    { title: 'another spelling of the host', uri: 'https://API.scraper.example:443/v2/a' },
    { title: 'a signature', uri: 'https://api.scraper.example/v2/a?b=1&signature=x' },
    { title: "a signature of S3's kind", uri: 'https://api.scraper.example/v2/a?X-Amz-Signature=x' },
    { title: "a signature of Azure's kind", uri: 'https://api.scraper.example/v2/a?sv=1&sig=x' },
    { title: 'another scheme', uri: 'file:///v2/a' },
    { title: "a widget's", uri: 'ui://api.scraper.example/v2/a' },
  ])('stays with $title', ({ uri }) => {
    expect(answered(uri, scraper)).toBe(uri);
    expect(asked(uri, scraper)).toBe(uri);
  });

  test.each([
    'https://svc.example/v1/proxy/conn/user_43/v2/a',
    'https://svc.example/v1/proxy/conn/user%2042',
    'https://svc.example/v1/proxy/conn/user%204200/v2/a',
    'https://other.example/v1/proxy/conn/user%2042/v2/a',
  ])('of another account is no name here: %s', (uri) => {
    expect(asked(uri, scraper)).toBe(uri);
    expect(restoreMcpHeaders(['mcp-name', uri], links, at(scraper))).toEqual(['mcp-name', uri]);
  });

  test('is looked for in what can be read alone', () => {
    const led = `${PLACE}/v2/a`;
    expect(asked(led, scraper, { 'content-type': 'text/plain' })).toBe(led);
    const encoded = { 'content-type': 'application/json', 'content-encoding': 'br' };
    expect(asked(led, scraper, encoded)).toBe(led);
    for (const type of ['text/html', 'application/jsonl', undefined])
      expect(rewriteMcpLinks(type, links, at(scraper))).toBeUndefined();
  });
});

/** Returns the message that the MCP server receives for `message` of the client. */
const sent = (message: object, connector: Connector = scraper): unknown => {
  const headers = { 'content-type': 'application/json' };
  const context = { headers, links, proxied: at(connector) };
  return JSON.parse(String(restoreMcpBody({ body: Buffer.from(JSON.stringify(message)) }, context).body));
};

describe('a link that is given to the server', () => {
  const LED = `${PLACE}/v2/stores/a%2Fb?x=%20&y`;
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
  ])('leads to the server again, in the arguments of $title', ({ make }) => {
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
    `see ${PLACE}/v2/a`,
    ` ${PLACE}/v2/a`,
    PLACE,
  ])('stays as it is where it is of another account or place, or no link: %s', (link) => {
    expect(sent(call({ link, [LED]: link }))).toEqual(call({ link, [LED]: link }));
    expect(restoreMcpHeaders(['Mcp-Param-Link', link], links, at(scraper))).toEqual(['Mcp-Param-Link', link]);
  });

  test.each([
    { method: 'tools/call', params: { name: LED, _meta: { link: LED }, arguments: LED } },
    { method: 'tools/call', params: { task: { arguments: { link: LED } } }, arguments: { link: LED } },
    { method: 'x', result: { arguments: { link: LED } }, error: { data: { params: { uri: LED } } } },
  ])('stays in everything else: %j', (message) => {
    expect(sent(message)).toEqual(message);
  });

  test('is the same in the head, where it has to stand too', () => {
    const encode = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    const head = (link: string, word: string) => [
      ...['Mcp-Param-Url', link, 'MCP-PARAM-Word', encode(`${link}/${word}`), 'Mcp-Method', link],
      ...['X-Mcp-Param-Url', link, 'mcp-name', encode('ü'), 'mcp-param-broken', '=?base64?#?='],
    ];
    const made = restoreMcpHeaders(head(LED, 'ü'), links, at(scraper));
    const wanted = head(OWN, 'ü');
    // Mcp-Method and X-Mcp-Param-Url stay unchanged, because the server compares neither with the body.
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
  { connector: notes, path: '/mcp/x', isMcp: false },
])(
  'the MCP server of a connector is at its path alone: $connector.id $path',
  ({ connector, path, host, isMcp }) => {
    expect(links.isMcp({ connector: connector.id }, { path, host })).toBe(isMcp);
  },
);

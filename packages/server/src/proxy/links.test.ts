import type { Connector } from '@svc/catalog';
import { describe, expect, test } from 'vitest';
import { createLinks } from './links.js';

const plain: Connector = {
  id: 'plain',
  title: 'Plain',
  service: 'Plain',
  description: 'A connector that only tests know.',
  api: 'Plain API',
  baseUrl: 'https://api.plain.example/customer/v1',
  hosts: { other: { baseUrl: 'https://other.plain.example', headers: {} } },
  headers: {},
  auth: { type: 'api_key', inject: { header: 'X-Api-Key', value: 'key {credential}' }, credentials: [] },
  errors: [],
  retry: { attempts: 1, baseMs: 1, capMs: 1 },
  types: {},
  tools: [],
};
const routed: Connector = {
  ...plain,
  id: 'routed',
  baseUrl: 'https://api.routed.example',
  hosts: { files: { baseUrl: 'https://api.routed.example/files', headers: {} } },
  proxy: {
    routes: [
      { path: '/v1.0/' },
      { path: '/neutral/', to: '/v2/things/' },
      { path: '/one', to: '/v2/only' },
      { path: '/stored/', to: '/', host: 'files' },
    ],
  },
};
const links = createLinks(new Map([plain, routed].map((connector) => [connector.id, connector])), []);
const PROXY_URL = 'https://svc.example/v1/proxy/conn/user%2042';
const at = ({ id, baseUrl }: Connector) => ({
  account: { connector: id, baseUrl, hosts: {} },
  proxyUrl: PROXY_URL,
});

describe('the link of a response', () => {
  test.each([
    { link: 'https://api.plain.example/customer/v1/a?b=%2F&c', path: '/a', query: '?b=%2F&c' },
    { link: 'https://API.plain.example:443/customer/v1/a', path: '/a' },
    { link: 'https://api.plain.example/customer/v1/a#part', path: '/a' },
    {
      connector: routed,
      link: 'https://api.routed.example/v1.0/x?$skiptoken=A',
      path: '/v1.0/x',
      query: '?$skiptoken=A',
    },
    { connector: routed, link: 'https://api.routed.example/v2/things/7', path: '/neutral/7' },
    { connector: routed, link: 'https://api.routed.example/v2/only', path: '/one' },
    { connector: routed, link: 'https://api.routed.example/files/a', path: '/stored/a' },
  ])(
    'is rewritten when the proxy reaches its host: $link',
    ({ connector = plain, link, path, query = '' }) => {
      expect(links.toService(link, at(connector))).toBe(`${PROXY_URL}${path}${query}`);
      expect(links.toPath(link, at(connector))).toBe(path);
    },
  );

  test.each([
    'https://api.plain.example/customer/v2/a',
    'https://api.plain.example/customer/v1beta/a',
    'https://api.plain.example.evil.example/customer/v1/a',
    'https://user:pass@api.plain.example/customer/v1/a',
    'http://api.plain.example/customer/v1/a',
    'https://other.plain.example/a',
    'https://api.plain.example:444/customer/v1/a',
    'https:\\\\api.plain.example/customer/v1/a',
    '/customer/v1/a',
    'api.plain.example/customer/v1/a',
    'javascript:alert(1)',
    '',
  ])('is unchanged and no path when it leads elsewhere: %s', (link) => {
    expect(links.toService(link, at(plain))).toBeUndefined();
    expect(() => links.toPath(link, at(plain))).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  test.each(['https://api.routed.example/v3/x', 'https://api.routed.example/v2/only/more'])(
    'is unchanged when no route matches: %s',
    (link) => {
      expect(links.toService(link, at(routed))).toBeUndefined();
    },
  );

  test.each([
    '..',
    '.',
    '%2e%2e',
    '.%2E',
    '%252e%252e',
    '..;x',
    '..%2f..',
    '..%252f..',
    '%2e%2e%2F..',
    '/',
    'a%5cb',
  ])('P8: is unchanged with a segment that could leave its path: %s', (segment) => {
    const path = `a/${segment}/b`;
    expect(links.toService(`https://api.plain.example/customer/v1/${path}`, at(plain))).toBeUndefined();
    expect(links.toService(`https://api.routed.example/v1.0/${path}?q`, at(routed))).toBeUndefined();
  });

  test('is a path again after it was rewritten, for the same account only', () => {
    const led = `${PROXY_URL}/a`;
    expect(links.toPath(led, at(plain))).toBe('/a');
    const ofAnother = 'https://svc.example/v1/proxy/conn/user_43/a';
    expect(() => links.toPath(ofAnother, at(plain))).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});

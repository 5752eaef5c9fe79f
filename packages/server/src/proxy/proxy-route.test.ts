import type { Connector, Route } from '@svc/catalog';
import { expect, test } from 'vitest';
import { createProxyRouter, type ProxyRequest } from './proxy-route.js';

const sample: Connector = {
  id: 'sample',
  title: 'Sample',
  service: 'Sample',
  description: 'A connector that only this test knows.',
  api: 'Sample API',
  baseUrl: 'https://api.upstream.example',
  hosts: { jobs: { baseUrl: 'https://jobs.upstream.example', headers: {} } },
  headers: {},
  auth: { type: 'api_key', inject: { header: 'X-Key', value: '{credential}' }, credentials: [] },
  errors: [],
  retry: { attempts: 3, baseMs: 1, capMs: 1 },
  types: {},
  tools: [],
};
const ROUTES: readonly Route[] = [
  { path: '/people/search', to: '/v3/search', query: { title: 'currentTitles', q: 'search' } },
  { path: '/people/', to: '/v3/' },
  { path: '/geo', to: '/v3/geo' },
  { path: '/jobs/', host: 'jobs', methods: ['POST'], longRunning: true },
  { path: '/jobs/', host: 'jobs', methods: ['GET'] },
];

function routed(request: Partial<ProxyRequest>, routes: readonly Route[] | null = ROUTES) {
  const connector = routes === null ? sample : { ...sample, proxy: { routes } };
  const route = createProxyRouter(new Map([['sample', connector]]));
  return route({ connector: 'sample' }, { method: 'GET', path: '/', query: '', ...request });
}

test.each([
  { title: 'a whole path is replaced', given: { path: '/people/search' }, sent: { path: '/v3/search' } },
  { title: 'a prefix is replaced', given: { path: '/people/a/b' }, sent: { path: '/v3/a/b' } },
  {
    title: 'escapes after a prefix are preserved',
    given: { path: '/people/a%20b/%C3%A9' },
    sent: { path: '/v3/a%20b/%C3%A9' },
  },
  {
    title: 'the first matching route applies',
    given: { path: '/people/search/x' },
    sent: { path: '/v3/search/x' },
  },
  {
    title: 'a path can be routed to another host',
    given: { path: '/jobs/1' },
    sent: { path: '/jobs/1', host: 'jobs', totalMs: undefined },
  },
  {
    title: 'a route can have a timeout of minutes',
    given: { method: 'POST', path: '/jobs/1' },
    sent: { host: 'jobs', totalMs: 330_000 },
  },
  {
    title: 'HEAD uses the route of GET',
    given: { method: 'HEAD', path: '/jobs/1' },
    sent: { method: 'HEAD', host: 'jobs' },
  },
])('$title', ({ given, sent }) => {
  expect(routed(given)).toMatchObject(sent);
});

test.each([
  { title: 'a parameter is renamed', query: 'title=CTO&page=2', sent: 'currentTitles=CTO&page=2' },
  { title: 'every parameter of a name is renamed', query: 'q=a&q=b', sent: 'search=a&search=b' },
  { title: 'a parameter without a value is renamed', query: 'q', sent: 'search' },
  { title: 'an encoded name is renamed', query: 't%69tle=CTO', sent: 'currentTitles=CTO' },
  { title: 'the value is preserved byte for byte', query: 'q=a+b%2Fc%3D&x', sent: 'search=a+b%2Fc%3D&x' },
  {
    title: 'the original parameter name wins',
    query: 'title=CTO&currentTitles=CEO',
    sent: 'title=CTO&currentTitles=CEO',
  },
  { title: 'a malformed name is preserved', query: '%zz=1&title=CTO', sent: '%zz=1&currentTitles=CTO' },
  { title: 'the name of an inherited property is preserved', query: 'constructor=1', sent: 'constructor=1' },
  { title: 'an empty query is preserved', query: '', sent: '' },
])('$title in the query', ({ query, sent }) => {
  expect(routed({ path: '/people/search', query }).query).toBe(sent);
});

test('a connector without routes sends every path to the base URL', () => {
  expect(routed({ path: '/any/path', query: 'a=1' }, null)).toMatchObject({
    method: 'GET',
    path: '/any/path',
    query: 'a=1',
    isToMcp: false,
  });
});

test.each([
  { title: 'a path without a route', path: '/company' },
  { title: 'a prefix without its trailing slash', path: '/people' },
  { title: 'a whole path with more segments', path: '/geo/inside' },
  { title: 'a whole path as a prefix of a word', path: '/geography' },
  { title: 'a prefix in another case', path: '/People/1' },
  { title: 'a prefix with escapes', path: '/%70eople/1' },
])('P7: a request with $title is refused, and the error lists the routes', ({ path }) => {
  expect(() => routed({ path })).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message:
        'No route matches the upstream path. The proxy of Sample supports any method on /people/search; any method on /people/…; any method on /geo; POST /jobs/…; GET /jobs/….',
    }),
  );
});

test.each(['/people/../jobs/1', '/people/%2e%2e/x', '//people/1', '/people/a%2F..%2Fb', '/people\\..\\jobs'])(
  'the path %s is refused before routing',
  (path) => {
    expect(() => routed({ path })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringMatching(/^The upstream path/),
      }),
    );
  },
);

test('P7: a method that the path does not support is refused', () => {
  expect(() => routed({ method: 'DELETE', path: '/jobs/1' })).toThrow(
    expect.objectContaining({
      code: 'method_not_allowed',
      message: expect.stringMatching(
        /^DELETE is not supported on this path\. The proxy of Sample supports .*POST \/jobs\/…/,
      ),
    }),
  );
});

test.each([
  { query: 'method=DELETE', isHeard: true },
  { query: 'a=1&m%65thod', isHeard: true },
  { query: 'a=1;[METHOD]=DELETE', isHeard: true },
  { query: '%zz=1&%20method[%ff]=DELETE', isHeard: true },
  { query: '$other=1', isHeard: true },
  { query: 'other=1', isHeard: false },
  { query: 'methods=1&a=method&b=%26method=1', isHeard: false },
  { query: '', isHeard: false },
])('P7: a method override in the query is refused where a host honours it: $query', ({ query, isHeard }) => {
  const path = '/people/search';
  expect(routed({ path, query }).path).toBe('/v3/search');
  const connector = { ...sample, methodParameters: ['method', '$other'], proxy: { routes: ROUTES } };
  const route = () =>
    createProxyRouter(new Map([['sample', connector]]))(
      { connector: 'sample' },
      { method: 'GET', path, query },
    );
  if (!isHeard) expect(route().path).toBe('/v3/search');
  else expect(route).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

const MCP = { mcp: { path: '/mcp?v=1' } } as const;
const STREAM = 'application/json, text/event-stream';

test.each([
  { title: 'the MCP path', given: { path: '/mcp' }, headersMs: 3_600_000 },
  { title: 'the MCP path with a slash', given: { path: '/mcp/' }, headersMs: 3_600_000 },
  { title: 'another path', given: { path: '/mcp/x' }, headersMs: undefined },
  { title: 'an event stream', given: { path: '/x', accept: STREAM }, headersMs: 3_600_000 },
  {
    title: 'no event stream',
    given: { path: '/x', accept: '*/*, text/event-stream;q=0' },
    headersMs: undefined,
  },
])('response headers for $title may take $headersMs ms', ({ given, headersMs }) => {
  for (const proxy of [undefined, { routes: [{ path: '/' }] }]) {
    const connector = { ...sample, ...MCP, ...(proxy && { proxy }) };
    const route = createProxyRouter(new Map([['sample', connector]]));
    const { headersMs: actual } = route({ connector: 'sample' }, { method: 'POST', query: '', ...given });
    expect(actual).toBe(headersMs);
  }
});

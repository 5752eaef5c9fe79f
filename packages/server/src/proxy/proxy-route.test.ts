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
  { title: 'a whole path becomes another', given: { path: '/people/search' }, sent: { path: '/v3/search' } },
  { title: 'a prefix becomes another', given: { path: '/people/a/b' }, sent: { path: '/v3/a/b' } },
  {
    title: 'escapes behind a prefix stay',
    given: { path: '/people/a%20b/%C3%A9' },
    sent: { path: '/v3/a%20b/%C3%A9' },
  },
  {
    title: 'the first route that fits applies',
    given: { path: '/people/search/x' },
    sent: { path: '/v3/search/x' },
  },
  {
    title: 'a path that stays may go to another host',
    given: { path: '/jobs/1' },
    sent: { path: '/jobs/1', host: 'jobs', timeoutMs: undefined },
  },
  {
    title: 'a route may take minutes',
    given: { method: 'POST', path: '/jobs/1' },
    sent: { host: 'jobs', timeoutMs: 330_000 },
  },
  {
    title: 'HEAD goes where GET goes',
    given: { method: 'HEAD', path: '/jobs/1' },
    sent: { method: 'HEAD', host: 'jobs' },
  },
])('$title', ({ given, sent }) => {
  expect(routed(given)).toMatchObject(sent);
});

test.each([
  { title: 'a parameter is renamed', query: 'title=CTO&page=2', sent: 'currentTitles=CTO&page=2' },
  { title: 'every one of a name is renamed', query: 'q=a&q=b', sent: 'search=a&search=b' },
  { title: 'one without a value is renamed', query: 'q', sent: 'search' },
  { title: 'an encoded name is renamed', query: 't%69tle=CTO', sent: 'currentTitles=CTO' },
  { title: 'the value stays byte for byte', query: 'q=a+b%2Fc%3D&x', sent: 'search=a+b%2Fc%3D&x' },
  {
    title: "the upstream's own name wins",
    query: 'title=CTO&currentTitles=CEO',
    sent: 'title=CTO&currentTitles=CEO',
  },
  { title: 'a malformed name stays', query: '%zz=1&title=CTO', sent: '%zz=1&currentTitles=CTO' },
  { title: 'a name that every object has stays', query: 'constructor=1', sent: 'constructor=1' },
  { title: 'an empty query stays empty', query: '', sent: '' },
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
  { title: 'a path that fits none', path: '/company' },
  { title: 'a prefix without its slash', path: '/people' },
  { title: 'a whole path with more behind it', path: '/geo/inside' },
  { title: 'a whole path in a longer word', path: '/geography' },
  { title: 'a prefix in other letters', path: '/People/1' },
  { title: 'a prefix in escapes', path: '/%70eople/1' },
])('P7: refuses $title, and names the routes', ({ path }) => {
  expect(() => routed({ path })).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message:
        'No route matches the upstream path. The proxy of Sample supports any method /people/search; any method /people/…; any method /geo; POST /jobs/…; GET /jobs/….',
    }),
  );
});

test.each(['/people/../jobs/1', '/people/%2e%2e/x', '//people/1', '/people/a%2F..%2Fb', '/people\\..\\jobs'])(
  'refuses %s before it looks for a route',
  (path) => {
    expect(() => routed({ path })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringMatching(/^The upstream path/),
      }),
    );
  },
);

test('P7: refuses a method that the path does not take', () => {
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
])(
  'P7: refuses a method in the query where a host of the connector hears it: $query',
  ({ query, isHeard }) => {
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
  },
);

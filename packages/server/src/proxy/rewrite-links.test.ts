import type { Connector } from '@svc/catalog';
import { describe, expect, test } from 'vitest';
import { createLinks } from './links.js';
import { hasUncheckedLinks, rewriteBodyLinks, rewriteHeaderLinks } from './rewrite-links.js';

const connector: Connector = {
  id: 'files',
  title: 'Files',
  service: 'Files',
  description: 'A connector that only tests know.',
  api: 'Files API',
  baseUrl: 'https://api.files.example/base',
  hosts: {},
  headers: {},
  auth: { type: 'api_key', inject: { header: 'X-Api-Key', value: 'key {credential}' }, credentials: [] },
  links: { fields: ['next'] },
  proxy: { routes: [{ path: '/v1/' }] },
  errors: [],
  retry: { attempts: 1, baseMs: 1, capMs: 1 },
  types: {},
  tools: [],
};
const SERVICE = 'http://svc.example:4400';
const links = createLinks(new Map([[connector.id, connector]]), [SERVICE, 'https://proxy.example']);
const PROXY_URL = `${SERVICE}/v1/proxy/files/ada`;
const at = {
  account: { connector: connector.id, baseUrl: connector.baseUrl, hosts: {} },
  proxyUrl: PROXY_URL,
  target: { host: undefined, path: '/v1/me/list', query: 'top=1' },
  callerHost: 'LOCALHOST:4400',
  preservesLinks: false,
  isMcp: false,
};
const UP = 'https://api.files.example';
const BOB = '/v1/proxy/calendar/bob/events';
const CLIMB = '/../../../../../..';

const NAMES = [
  'location',
  'content-location',
  'operation-location',
  'azure-asyncoperation',
  'x-goog-upload-url',
];

function lead(headers: Record<string, string | string[]>, preservesLinks = false) {
  const rewritten = { ...headers };
  rewriteHeaderLinks(rewritten, links, { ...at, preservesLinks });
  return rewritten;
}

/** Converts a text to the form in which Node.js presents header values: one Latin-1 character for each UTF-8 byte. */
const inBytes = (text: string) => Buffer.from(text).toString('latin1');

const TO_THE_SERVICE = [
  BOB,
  `${BOB}?a=1#b`,
  `//svc.example:4400${BOB}`,
  `///svc.example:4400${BOB}`,
  `\\\\svc.example:4400${BOB}`,
  `\\v1\\proxy\\calendar\\bob\\events`,
  `http:${BOB}`,
  `http:/${BOB}`,
  `http://${BOB}`,
  `http:svc.example:4400${BOB}`,
  `https:${BOB}`,
  `${SERVICE}${BOB}`,
  `${SERVICE.toUpperCase()}${BOB}`,
  `${SERVICE}\\v1\\proxy\\calendar\\bob\\events`,
  `  ${SERVICE}${BOB}`,
  `http://svc.ex\tample:4400${BOB}`,
  `http://user:pass@svc.example:4400${BOB}`,
  `http://svc%2eexample:4400${BOB}`,
  `http://svc.example.:4400${BOB}`,
  `https://svc.example:4400${BOB}`,
  inBytes(`http://\u017fvc.example:4400${BOB}`),
  inBytes(`http://svc\u3002example:4400${BOB}`),
  `https://proxy.example:443/v1/x`,
  `http://localhost:4400${BOB}`,
  `${PROXY_URL}/v1/x`,
  `${UP}/base/v1${CLIMB}${BOB}`,
  `${UP}/base/v1${CLIMB.replaceAll('..', '%2e%2E')}${BOB}`,
  `${UP}/base/v1${CLIMB.replaceAll('..', '.%2e')}${BOB}`,
  `${UP}/base/v1/..;/..;${BOB}`,
  `${UP}/base/v1/..%2f..%2f..%2f..${BOB}`,
  `${UP}/base/v1/..%5c..%5c..%5c..${BOB}`,
  `${UP}/base/v1/%252e%252e/%252e%252e/%252e%252e${BOB}`,
  `..${CLIMB}${BOB}`,
  `x${CLIMB}${BOB}`,
];

/**
 * Lists the URLs that clients may read from a rewritten link header: some clients decode headers as Latin-1, and some
 * as UTF-8.
 */
const readings = (link: string) =>
  [link, Buffer.from(link, 'latin1').toString()].flatMap(
    (text) => URL.parse(text, `${PROXY_URL}/v1/me/list`) ?? [],
  );

const isElsewhere = ({ hostname }: URL) => !/^(svc\.example|proxy\.example|localhost)\.?$/.test(hostname);

function expectSafe(given: string): void {
  // Expects only an absolute URL of printable ASCII in the rewritten header, because clients interpret other links
  // differently.
  expect(given).toMatch(/^https?:\/\/[\w[][!-~]*$/);
  for (const url of readings(given)) {
    const isOfAccount = url.href.startsWith(`${PROXY_URL}/v1/`) && !/%2f|%5c|%2e|\.\./i.test(url.pathname);
    expect(isOfAccount || isElsewhere(url), `${given} leads to ${url.href}`).toBe(true);
  }
}

describe('P8: a link of a response to the service itself', () => {
  test.each(TO_THE_SERVICE)('is neutralized: %j', (link) => {
    for (const preservesLinks of [false, true]) {
      for (const name of NAMES) {
        const led = lead({ [name]: link }, preservesLinks)[name];
        if (typeof led === 'string') expectSafe(led);
      }
      if (/[<>]/.test(link)) continue;
      const { link: whole } = lead(
        { link: `<https://other.example/>; rel="prev", <${link}>; rel="next"` },
        preservesLinks,
      );
      for (const [, led = ''] of String(whole ?? '').matchAll(/<([^>]*)>/g)) expectSafe(led);
    }
  });

  test.each([
    { title: 'a nested target', link: `<${SERVICE}${BOB}?<x>; rel="next"` },
    { title: 'an unclosed target', link: `<https://other.example/>, <${SERVICE}${BOB}` },
    { title: 'an unopened target', link: `${SERVICE}${BOB}>; rel="next"` },
  ])('drops a Link header with $title', ({ link }) => {
    expect(lead({ link })).toEqual({});
  });

  test.each([false, true])('is dropped in a duplicate header (svc-links: keep is %s)', (preservesLinks) => {
    for (const name of NAMES) {
      expect(lead({ [name]: [BOB, BOB] }, preservesLinks)).toEqual({});
      expect(lead({ [name]: [`${UP}/base/v1/a`, SERVICE + BOB] }, preservesLinks)).toEqual({});
    }
    const [first, last] = ['<https://other.example/>; rel="prev"', '<https://other.example/2>; rel="next"'];
    expect(lead({ link: [first, `<${SERVICE}${BOB}>`, last] }, preservesLinks)).toEqual({
      link: [first, last],
    });
    expect(lead({ link: [`<${SERVICE}${BOB}>`, `<${PROXY_URL}>`] }, preservesLinks)).toEqual({});
  });

  test('is rewritten in a document to the proxy, which refuses it', () => {
    const edit = rewriteBodyLinks(
      { status: 200, headers: { 'content-type': 'application/json' } },
      links,
      at,
    );
    const given = Buffer.from(JSON.stringify({ next: `${SERVICE}${BOB}`, other: BOB }));
    const led = `${PROXY_URL}/${SERVICE}/`;
    expect(String(edit?.take(given))).toBe(JSON.stringify({ next: led, other: BOB }));
    expect(() => links.toPath(led.slice(PROXY_URL.length + 1), at)).toThrow(
      'host that the proxy of this connection does not reach',
    );
  });
});

test.each([
  { title: 'an absolute link', link: `${UP}/base/v1/a?b=%2F`, led: `${PROXY_URL}/v1/a?b=%2F` },
  { title: 'a path', link: '/base/v1/operations/1', led: `${PROXY_URL}/v1/operations/1` },
  { title: 'a relative link', link: 'page2?x', led: `${PROXY_URL}/v1/me/page2?x` },
  { title: 'a link to a parent', link: '../you', led: `${PROXY_URL}/v1/you` },
  { title: 'a query', link: '?page=2', led: `${PROXY_URL}/v1/me/list?page=2` },
  { title: 'a host without a scheme', link: '//api.files.example/base/v1/a', led: `${PROXY_URL}/v1/a` },
  { title: 'a non-ASCII path', link: inBytes('/base/v1/ü'), led: `${PROXY_URL}/v1/%C3%BC` },
  { title: 'a path without a route', link: '/base/v2/a', led: `${UP}/base/v2/a` },
  { title: 'a link to another host', link: "https://Other.example:443/a'|{b}?c=^", led: undefined },
  { title: 'another scheme', link: 'mailto:ada@files.example', led: undefined },
])('a link in a header is rewritten or made absolute: $title', ({ link, led = link }) => {
  for (const name of NAMES) expect(lead({ [name]: link })).toEqual({ [name]: led });
  expect(lead({ link: `<${link}>; rel="next"` })).toEqual({ link: `<${led}>; rel="next"` });
});

test.each([
  { link: `${UP}/base/v1/a/../b`, absolute: `${UP}/base/v1/a/../b` },
  { link: '/base/v1/operations/1', absolute: `${UP}/base/v1/operations/1` },
  { link: '?page=2', absolute: `${UP}/base/v1/me/list?page=2` },
])('svc-links: keep returns absolute links of the upstream: $link', ({ link, absolute }) => {
  for (const name of NAMES) expect(lead({ [name]: link }, true)).toEqual({ [name]: absolute });
});

test('each of several Link headers is rewritten', () => {
  const given = ['</base/v1/2>; rel="next"', `<${UP}/base/v1/9>; rel="last", <https://other.example/>`];
  expect(lead({ link: given })).toEqual({
    link: [`<${PROXY_URL}/v1/2>; rel="next"`, `<${PROXY_URL}/v1/9>; rel="last", <https://other.example/>`],
  });
});

const rewritten = (headers: Record<string, string>, given: string, more: Partial<typeof at> = {}) => {
  const edit = rewriteBodyLinks({ status: 200, headers }, links, { ...at, ...more });
  return edit === undefined ? undefined : String(edit.take(Buffer.from(given))) + String(edit.rest());
};

test.each([
  ' https://api.files.example/base/v1/a',
  'https:\\\\api.files.example\\base\\v1\\a',
  'https:/api.files.example/base/v1/a',
  'https:api.files.example/base/v1/a',
  'ht\ttps://api.files.exa\nmple/base/v1/a\r',
  'HTTPS://API.files.example:443/base/v1/a',
  'https://api.files.exampl%65/base/v1/a',
  'https://api.files.example/base/v1/b/../a#c',
])('a link in a body is rewritten in the spelling %j, which clients understand too', (link) => {
  expect(rewritten({ 'content-type': 'application/json' }, JSON.stringify({ next: link }))).toBe(
    JSON.stringify({ next: `${PROXY_URL}/v1/a` }),
  );
});

test.each([
  'http://127.0.0.1:4400',
  'http://127.1:4400',
  'http://0.0.0.0:4400',
  'http://[::1]:4400',
  'http://[::]:4400',
  'http://[::ffff:127.0.0.1]:4400',
  'http://localhost.:4400',
  'http://svc.localhost:4400',
])('P8: %s is recognized as the service when callers reach it as localhost', (origin) => {
  expect(lead({ location: origin + BOB })).toEqual({});
  const led = `${PROXY_URL}/${new URL(origin).origin}/`;
  const given = JSON.stringify({ next: origin + BOB });
  expect(rewritten({ 'content-type': 'application/json' }, given)).toBe(JSON.stringify({ next: led }));
  const elsewhere = origin.replace(/4400$/, '4401') + BOB;
  expect(lead({ location: elsewhere })).toEqual({ location: elsewhere });
});

test.each([
  'application/json',
  'Application/JSON; charset=utf-8',
  'text/json',
  'application/problem+json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/json-seq',
])('links in a body of the type %s are rewritten', (type) => {
  const given = JSON.stringify({ next: `${UP}/base/v1/a` });
  expect(rewritten({ 'content-type': type }, given)).toBe(JSON.stringify({ next: `${PROXY_URL}/v1/a` }));
});

test.each(['gzip', 'br', 'zstd', 'identity, gzip'])(
  'P8: a response compressed by %s is refused unless its links are kept or its type has none',
  (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    expect(() => rewritten(headers, '')).toThrow(
      /compressed its response .* Send the header "svc-links: keep"/,
    );
    expect(rewritten(headers, '', { preservesLinks: true })).toBeUndefined();
    expect(rewritten({ ...headers, 'content-type': 'image/png' }, '')).toBeUndefined();
  },
);

test.each([
  { title: 'a 304 response', response: { status: 304, headers: { 'content-encoding': 'gzip' } } },
  { title: 'a 204 response', response: { status: 204, headers: { 'content-encoding': 'gzip' } } },
  {
    title: 'an empty response',
    response: { status: 200, headers: { 'content-encoding': 'gzip', 'content-length': '0' } },
  },
])('$title has no body, so its Content-Encoding is no reason to refuse it', ({ response }) => {
  const headers = { 'content-type': 'application/json', ...response.headers };
  expect(rewriteBodyLinks({ ...response, headers }, links, at)).toBeUndefined();
});

test.each(['Identity', ' identity ', ''])('the Content-Encoding "%s" is no compression', (encoding) => {
  const given = JSON.stringify({ next: `${UP}/base/v1/a` });
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  expect(rewritten(headers, given)).toBe(JSON.stringify({ next: `${PROXY_URL}/v1/a` }));
});

test('links in JSON without a content type are rewritten', () => {
  const given = JSON.stringify({ next: `${UP}/base/v1/a` });
  expect(rewritten({}, given)).toBe(JSON.stringify({ next: `${PROXY_URL}/v1/a` }));
  expect(rewritten({ 'content-length': '0' }, '')).toBeUndefined();
  expect(rewritten({ 'content-encoding': 'gzip' }, '')).toBeUndefined();
});

test.each([
  { type: 'text/plain; charset=utf-8', isUnchecked: true },
  { type: 'multipart/mixed; boundary=b', isUnchecked: true },
  { type: 'application/json', status: 206, isUnchecked: true },
  { type: 'text/html', isUnchecked: true },
  { type: 'text/event-stream', isUnchecked: true },
  { type: 'application/javascript', isUnchecked: true },
  { type: 'application/octet-stream', isUnchecked: true },
  { type: 'json', isUnchecked: true },
  { type: 'application/json; charset="UTF-16LE"', isUnchecked: true },
  { type: 'application/json;charset=utf-8', isUnchecked: false },
  { type: 'text/html', status: 204, isUnchecked: false },
  { type: 'application/json', isUnchecked: false },
  { type: undefined, isUnchecked: false },
  { type: undefined, encoding: 'gzip', isUnchecked: true },
  { type: 'image/png', isUnchecked: false },
  { type: 'text/plain', more: { preservesLinks: true }, isUnchecked: false },
])('a response of the type $type has unchecked links: $isUnchecked', (given) => {
  const { type, status = 200, more, encoding, isUnchecked } = given;
  const headers = {
    ...(type && { 'content-type': type }),
    ...(encoding && { 'content-encoding': encoding }),
  };
  expect(hasUncheckedLinks({ status, headers }, links, { ...at, ...more })).toBe(isUnchecked);
});

test('a response of a connector without links in bodies has no unchecked links', () => {
  const { links: _, ...plain } = connector;
  const none = createLinks(new Map([[connector.id, plain]]), [SERVICE]);
  expect(hasUncheckedLinks({ status: 206, headers: {} }, none, at)).toBe(false);
});

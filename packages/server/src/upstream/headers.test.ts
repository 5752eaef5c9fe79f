import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { secret } from '../secret.js';
import { createRequestHeaders, responseHeaders } from './headers.js';
import { createInject } from './inject.js';

const inject = createInject({ header: 'X-Api-Key', value: 'key {credential}' });
const rules = {
  defaults: { 'X-Version': '1', 'User-Agent': 'sample' },
  keyHeaders: ['x-api-key', 'x-other-key'],
};
const filter = createRequestHeaders(rules);

test.each([
  'Authorization',
  'AUTHORIZATION',
  'authorization',
  'X-API-Key',
  'x-api-key',
  'X-Other-Key',
  'Host',
  'Cookie',
  'Connection',
  'Keep-Alive',
  'Proxy-Authorization',
  'Proxy-Connection',
  'proxy-anything',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'HTTP2-Settings',
  'Content-Length',
  'Expect',
  'Forwarded',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Anything',
  'X-Real-IP',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-HTTP-Method',
  'X-HTTP-Method-Override',
  'X-Method-Override',
  'X_HTTP_Method_Override',
  'X_Forwarded-For',
  'X_Api_Key',
  'traceparent',
  'TraceParent',
  'tracestate',
  'baggage',
])('P5: the request header %s is not forwarded', (name) => {
  expect(filter([name, 'x'])).toEqual(filter([]));
});

test.each([
  'Accept',
  'Content-Type',
  'If-Match',
  'Prefer',
  'Range',
  'Idempotency-Key',
  'X-Forward',
  'Accept-Encoding',
])('P5: the request header %s is forwarded unchanged', (name) => {
  expect(filter([name, 'v, "w"']).slice(0, 2)).toEqual([name, 'v, "w"']);
});

test('P5: a repeated header is kept', () => {
  expect(filter(['X-Tag', 'a', 'x-tag', 'b']).slice(0, 4)).toEqual(['X-Tag', 'a', 'x-tag', 'b']);
});

test('P5: headers named by Connection are dropped', () => {
  expect(
    filter(['X-Hop', '1', 'Connection', 'close, X-Hop , x-other', 'X-Other', '2', 'X-Kept', '3']),
  ).toEqual(['X-Kept', '3', ...filter([])]);
});

test('P5: the method override header of the upstream is forwarded once', () => {
  const name = 'X-HTTP-Method-Override';
  const heard = createRequestHeaders({ ...rules, methodOverride: name });
  expect(heard([name, 'GET', 'X_HTTP_Method_Override', 'DELETE'])).toEqual([name, 'GET', ...filter([])]);
});

test('a default header is added only when the caller sends none, in any case', () => {
  expect(filter(['x-VERSION', '2', 'user-AGENT', 'mine'])).toEqual(['x-VERSION', '2', 'user-AGENT', 'mine']);
});

test('the user agent of a connector replaces the default one', () => {
  const names = filter([]).filter((_, index) => index % 2 === 0);
  expect(names.map((name) => name.toLowerCase()).toSorted()).toEqual(['user-agent', 'x-version']);
  expect(filter([])).toContain('sample');
});

test.each([
  { title: 'a header name with a space', name: 'a b', value: '' },
  { title: 'an empty header name', name: '', value: '' },
  { title: 'a header name with a colon', name: 'a:b', value: '' },
  { title: 'a non-ASCII header name', name: 'é', value: '' },
  { title: 'a header name with a line break', name: 'a\r\nb', value: '' },
  { title: 'the header __proto__', name: '__proto__', value: '' },
  { title: 'the header constructor', name: 'Constructor', value: '' },
  { title: 'the header prototype', name: 'prototype', value: '' },
  { title: 'a value with CR', name: 'a', value: 'b\rc' },
  { title: 'a value with LF', name: 'a', value: 'b\nAuthorization: x' },
  { title: 'a value with NUL', name: 'a', value: 'b\u0000' },
  { title: 'a value beyond latin-1', name: 'a', value: '€' },
  { title: 'an invalid value of a dropped header', name: 'cookie', value: 'a\nb' },
])('P6: $title is refused', ({ name, value }) => {
  expect(() => filter([name, value])).toThrow(ServiceError);
});

test('P6: a header value may contain tabs and Latin-1', () => {
  expect(filter(['a', '\tcaf\u00e9']).slice(0, 2)).toEqual(['a', '\tcaf\u00e9']);
});

test('P5: the credential is added last, with any characters', () => {
  const { headers: sent } = inject({ path: '/', headers: filter(['x-api-key', 'mine']) }, secret("$&$1$'"));
  expect(sent.slice(-2)).toEqual(['X-Api-Key', "key $&$1$'"]);
  expect(sent.filter((name) => name.toLowerCase() === 'x-api-key')).toHaveLength(1);
});

test('P5: a credential is sent as Basic authentication', () => {
  const { headers } = createInject({ basic: '{credential}:' })({ path: '/a', headers: [] }, secret('k$&'));
  expect(headers).toEqual(['authorization', `Basic ${Buffer.from('k$&:').toString('base64')}`]);
});

test.each([
  { title: 'is added to a path without a query', path: '/a', sent: '/a?api_key=k%26%C3%BC' },
  {
    title: 'keeps a question mark in the query',
    path: '/a?b=is?&c=1',
    sent: '/a?b=is?&c=1&api_key=k%26%C3%BC',
  },
  { title: 'keeps the rest of the query', path: '/a?b=1&c', sent: '/a?b=1&c&api_key=k%26%C3%BC' },
  {
    title: 'replaces the parameter of the caller',
    path: '/a?api_key=x&ap%69_key=y',
    sent: '/a?api_key=k%26%C3%BC',
  },
])('P5: a credential in the query $title', ({ path, sent }) => {
  const added = createInject({ query: 'api_key' })({ path, headers: ['a', 'b'] }, secret('k&ü'));
  expect(added).toEqual({ path: sent, headers: ['a', 'b'] });
});

test.each([
  'set-cookie',
  'set-cookie2',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-anything',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'svc-error',
  'svc-request-id',
  'idempotent-replayed',
  'x-accel-redirect',
  'x-accel-expires',
  'x-lighttpd-send-file',
  'x-litespeed-location',
  'x-reproxy-url',
  'x-sendfile',
  'x-sendfile2',
])('P8, P12: the response header %s is never returned', (name) => {
  expect(responseHeaders({ [name]: 'x' })).not.toHaveProperty(name, 'x');
});

test.each([
  'accept-ch',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-anything',
  'activate-storage-access',
  'alt-svc',
  'attribution-reporting-register-source',
  'clear-site-data',
  'content-security-policy',
  'content-security-policy-report-only',
  'critical-ch',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy-report-only',
  'cross-origin-resource-policy',
  'document-policy',
  'expect-ct',
  'feature-policy',
  'nel',
  'observe-browsing-topics',
  'origin-agent-cluster',
  'origin-trial',
  'permissions-policy',
  'permissions-policy-report-only',
  'public-key-pins',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'sec-session-registration',
  'secure-session-registration',
  'service-worker-allowed',
  'set-login',
  'speculation-rules',
  'strict-transport-security',
  'supports-loading-mode',
  'timing-allow-origin',
  'use-as-dictionary',
  'x-content-type-options',
])('P8: an upstream cannot set %s for the origin of the service', (name) => {
  expect(responseHeaders({ [name]: 'x' })).not.toHaveProperty(name, 'x');
});

test.each([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-type',
  'etag',
  'link',
  'location',
  'mcp-session-id',
  'ratelimit-remaining',
  'retry-after',
  'server-timing',
  'vary',
  'www-authenticate',
  'x-frame-options',
  'x-request-id',
])('P8: the response header %s is returned unchanged', (name) => {
  expect(responseHeaders({ [name]: 'x' })).toHaveProperty(name, 'x');
});

test('P8: the remaining response headers are safe for a browser', () => {
  expect(
    responseHeaders({
      connection: 'X-Hop',
      'x-hop': '1',
      'content-type': 'text/html',
      'content-security-policy': 'default-src *',
      'x-content-type-options': 'sniff',
      link: ['<a>', '<b>'],
      'www-authenticate': 'Bearer',
    }),
  ).toEqual({
    'content-type': 'text/html',
    link: ['<a>', '<b>'],
    'www-authenticate': 'Bearer',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
});

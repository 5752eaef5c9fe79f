import { expect, test } from 'vitest';
import { createFindEgressProxy } from './egress-proxy.js';

const HTTPS = 'http://proxy.example:3128';
const HTTP = 'http://plain.example:3128';

function proxyOf(url: string, direct: readonly string[] = []): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  return createFindEgressProxy({ https: HTTPS, http: HTTP, direct })({ protocol, hostname, port });
}

test('the proxy is selected by the protocol of the target', () => {
  expect(proxyOf('https://api.example.com')).toBe(HTTPS);
  expect(proxyOf('http://api.example.com')).toBe(HTTP);
  const find = createFindEgressProxy({ http: HTTP, direct: [] });
  expect(find({ protocol: 'https:', hostname: 'api.example.com', port: '' })).toBeUndefined();
});

test('the fallback is the proxy of a protocol that has no proxy of its own', () => {
  const find = createFindEgressProxy({ http: HTTP, all: 'http://all.example', direct: ['direct.example'] });
  expect(find({ protocol: 'https:', hostname: 'api.example.com', port: '' })).toBe('http://all.example');
  expect(find({ protocol: 'http:', hostname: 'api.example.com', port: '' })).toBe(HTTP);
  expect(find({ protocol: 'https:', hostname: 'direct.example', port: '' })).toBeUndefined();
  expect(find({ protocol: 'https:', hostname: '127.0.0.1', port: '' })).toBeUndefined();
});

test.each([
  'http://localhost:4401',
  'https://sub.localhost',
  'http://127.0.0.1:9000',
  'http://[::1]:9000',
  'http://169.254.169.254',
])('the local or metadata address %s is reached directly', (url) => {
  expect(proxyOf(url)).toBeUndefined();
});

test.each([
  ['*', 'https://api.example.com'],
  ['example.com', 'https://example.com'],
  ['example.com', 'https://api.example.com'],
  ['.example.com', 'https://api.example.com'],
  ['*.example.com', 'https://api.example.com'],
  ['EXAMPLE.com', 'https://api.example.com.'],
  ['example.com:443', 'https://example.com'],
  ['example.com:8443', 'https://example.com:8443'],
  ['10.0.0.0/8', 'https://10.1.2.3'],
  ['10.1.2.3', 'https://10.1.2.3'],
  ['10.1.2.3:443', 'https://10.1.2.3'],
  ['2001:db8::/32', 'https://[2001:db8::1]'],
  ['2001:DB8:0::1', 'https://[2001:db8::1]'],
  ['[2001:db8::1]:443', 'https://[2001:db8::1]'],
])('NO_PROXY=%s exempts %s', (entry, url) => {
  expect(proxyOf(url, [entry])).toBeUndefined();
});

test.each([
  ['example.com', 'https://badexample.com'],
  ['example.com', 'https://example.com.evil.org'],
  ['example.com:8443', 'https://example.com'],
  ['10.0.0.0/8', 'https://11.1.2.3'],
  ['10.0.0.0/8', 'https://ten.example'],
  ['[2001:db8::1]:8443', 'https://[2001:db8::1]'],
  ['', 'https://example.com'],
  [':443', 'https://example.com'],
])('NO_PROXY=%s does not exempt %s', (entry, url) => {
  expect(proxyOf(url, [entry])).toBe(HTTPS);
});

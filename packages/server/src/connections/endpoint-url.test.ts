import { expect, test } from 'vitest';
import { checkBaseUrl, checkEndpoint } from './endpoint-url.js';

const isListed = (origin: string) => origin === 'http://127.0.0.1:4401';
const check = (value: string) => checkEndpoint('tokenEndpoint', value, isListed);

test.each([
  'https://auth.example.com/authorize',
  'https://auth.example.com',
  'https://auth.example.com:443/authorize?tenant=a',
  'https://auth.example.com/users/@me',
  'http://127.0.0.1:4401/mail/token',
])('O17: the endpoint URL %s is accepted unchanged', (value) => {
  expect(check(value)).toBe(value);
});

test.each([
  'http://auth.example.com/authorize',
  'http://127.0.0.1:4402/token',
  'http://localhost:4401/token',
  'https://auth.example.com:8443/authorize',
  'https://user@auth.example.com/authorize',
  'https://user:password@auth.example.com/authorize',
  'https://@auth.example.com/authorize',
  'https://auth.example.com@evil.example.com/',
  'https://auth.example.com/authorize#fragment',
  'https://auth.example.com/authorize#',
  '//auth.example.com/authorize',
  '/authorize',
  'auth.example.com/authorize',
  'https:auth.example.com/authorize',
  'https:///auth.example.com/authorize',
  'https:\\\\auth.example.com\\authorize',
  'https://auth.example.com\\@evil.example.com/',
  'https://auth.exa\nmple.com/authorize',
  ' https://auth.example.com/authorize',
  'https://auth.example.com/authorize ',
  'https://auth.example.com/\u0000',
  'https://',
  'https://[::1',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://auth.example.com/',
  'file:///etc/passwd',
  'HTTPS://auth.example.com/authorize',
  '',
])('O17: the endpoint URL %j is refused', (value) => {
  expect(() => check(value)).toThrow(/^tokenEndpoint (is not|contains|has)/);
});

test('a base URL loses its trailing slashes', () => {
  expect(checkBaseUrl('https://api.example.com/v1//', isListed)).toBe('https://api.example.com/v1');
});

test('a base URL with a query is refused', () => {
  expect(() => checkBaseUrl('https://api.example.com/v1?key=1', isListed)).toThrow(/^baseUrl has a query/);
});

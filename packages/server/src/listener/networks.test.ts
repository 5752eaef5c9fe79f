import { expect, test } from 'vitest';
import { createAddressOf } from './networks.js';

const addressOf = createAddressOf(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
const clientOf = (forwarded: string | undefined, remoteAddress = '127.0.0.1') =>
  addressOf({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress } as never,
  });

test.each([
  ['203.0.113.9:40001', '203.0.113.9'],
  ['[2001:db8::9]:40001', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['2001:DB8:0:0::0009', '2001:db8::9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:40001', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '203.0.113.9'],
  ['[64:FF9B::cb00:7109]:40001', '203.0.113.9'],
  ['203.0.113.9:', '203.0.113.9'],
  ['[2001:DB8::9%25eth0]:', '2001:db8::9'],
  ['2001:db8::9%eth7', '2001:db8::9'],
  ['"203.0.113.9"', '203.0.113.9'],
  ['"[2001:db8::9]:40001"', '2001:db8::9'],
  ['203.0.113.8, 203.0.113.9:40001, 10.1.2.3:555', '203.0.113.9'],
  ['203.0.113.9,, [fd00::1]:80', '203.0.113.9'],
])('the client address is read from X-Forwarded-For: %s', (forwarded, client) => {
  expect(clientOf(forwarded)).toBe(client);
});

test.each([
  [undefined, '127.0.0.1'],
  ['', '127.0.0.1'],
  ['unknown', '127.0.0.1'],
  ['203.0.113.9, _hidden', '127.0.0.1'],
  ['203.0.113.9, 010.0.0.1', '127.0.0.1'],
  ['203.0.113.9:port, 10.0.0.7', '10.0.0.7'],
  ['203.0.113.9, 2130706433', '127.0.0.1'],
])('the address of the proxy is used when it recorded no client: %s', (forwarded, client) => {
  expect(clientOf(forwarded)).toBe(client);
});

test('X-Forwarded-For of an untrusted caller is ignored', () => {
  expect(clientOf('203.0.113.9', '::ffff:198.51.100.1')).toBe('198.51.100.1');
});

test.each([
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['fe80::1%eth0', 'fe80::1'],
])('the address %s of a socket is normalized without trusted proxies too', (remoteAddress, client) => {
  expect(createAddressOf([])({ headers: {}, socket: { remoteAddress } as never })).toBe(client);
});

import { expect, test } from 'vitest';
import { isBlockedAddress, readOwnAddresses } from './blocked-addresses.js';

const BLOCKED: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1'],
  'site-local': ['fec0::1', 'feff::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'protocol assignments': ['192.0.0.1', '192.0.0.170', '2001::1', '2001:10::1', '2001:20::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '254.1.1.1', '255.255.255.255', '100::1', '5f00::1', '4000::1'],
  'IPv4-compatible': ['::', '::2', '::7f00:1', '::8.8.8.8'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1'],
  NAT64: [
    '64:ff9b::10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::169.254.169.254',
    '64:ff9b::168.63.129.16',
    '64:ff9b::',
    '64:ff9b::ffff:ffff',
    '64:ff9b:0:0:0:1:808:808',
    '64:ff9b:1::808:808',
    '64:ff9c::808:808',
  ],
  translated: ['::ffff:0:8.8.8.8'],
  '6to4': ['2002:7f00:1::1', '2002:808:808::1', '192.88.99.1'],
  Teredo: ['2001:0:4136:e378::1'],
  'host agents of clouds': ['168.63.129.16'],
  'zone ids': ['fe80::1%eth0', '2606:4700::1111%lo'],
  'other spellings of loopback': ['127.1', '0x7f.0.0.1', '0177.0.0.1', '2130706433', '0x7f000001'],
  'what is no address': ['', 'localhost', '1.2.3.4.5', ':::', '[::1]'],
};

const cases = Object.entries(BLOCKED).flatMap(([kind, list]) => list.map((address) => ({ kind, address })));

test('N3: the test covers at least 60 forms of addresses', () => {
  expect(cases.length).toBeGreaterThanOrEqual(60);
});

test.each(cases)('N3: blocks $address ($kind)', ({ address }) => {
  expect(isBlockedAddress(address)).toBe(true);
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '192.0.1.1',
  '64:ff9b::808:808',
  '64:ff9b::8.8.8.8',
  '64:FF9B:0:0:0:0:0808:0808',
  '2606:4700::1111',
  '2a00:1450:4001::1',
])('N3: the public address %s is allowed', (address) => {
  expect(isBlockedAddress(address)).toBe(false);
});

test('N3: an address of the service itself is blocked in any spelling', () => {
  const own = ['2606:4700:0:0:0:0:0:1111', '8.8.4.4'];
  expect(isBlockedAddress('2606:4700::1111', own)).toBe(true);
  expect(isBlockedAddress('8.8.4.4', own)).toBe(true);
  expect(isBlockedAddress('64:ff9b::8.8.4.4', own)).toBe(true);
  expect(isBlockedAddress('8.8.8.8', own)).toBe(false);
});

test('the own addresses of the machine are read', () => {
  expect(readOwnAddresses()).toContain('127.0.0.1');
});

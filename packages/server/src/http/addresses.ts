import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

// Global unicast IPv6 is 2000::/3 alone: this shuts out IPv4-compatible, mapped, NAT64, site-local and all unassigned space.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
// Inside 2000::/3, but not of the public network: protocol assignments (Teredo, ORCHID, …), 6to4, documentation.
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);
// 6to4 relays, and the host agent of a large cloud, which answers on a public address.
const SPECIAL_IPV4 = ['192.88.99.0/24', '168.63.129.16/32'].map((range) => ipaddr.IPv4.parseCIDR(range));

function isGlobal(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return !SPECIAL_IPV4.some((range) => parsed.match(range));
  return parsed.match(GLOBAL_IPV6) && !SPECIAL_IPV6.some((range) => parsed.match(range));
}

/** Whether an address may not be dialled: everything but global unicast, and the service's own addresses (rule N3). */
export function isBlockedAddress(address: string, ownAddresses: readonly string[] = []): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return true;
  const normal = ipaddr.parse(address).toNormalizedString();
  return ownAddresses.includes(normal) || !isGlobal(address);
}

/** The addresses of this machine's network interfaces, in the form that `isBlockedAddress` compares. */
export function readOwnAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({ address }) => ipaddr.parse(address.split('%', 1).join()).toNormalizedString());
}

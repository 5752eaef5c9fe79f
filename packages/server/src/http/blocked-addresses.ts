import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

// Public IPv6 addresses: only 2000::/3 is global unicast. All other ranges are blocked, such as IPv4-compatible,
// IPv4-mapped, site-local and unassigned addresses.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
// Ranges inside 2000::/3 that are not public: protocol assignments (Teredo, ORCHID, …), 6to4, documentation.
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);
// IPv4 ranges that are blocked although they look public: 6to4 relays, and the address of a cloud platform's host
// agent.
const SPECIAL_IPV4 = ['192.88.99.0/24', '168.63.129.16/32'].map((range) => ipaddr.IPv4.parseCIDR(range));

// Well-known prefix of NAT64 addresses (RFC 6052). A gateway forwards packets for such an address to the IPv4 address
// in its last 32 bits.
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const IPV4_START = 12;

/**
 * Returns the address that packets finally reach: the IPv4 address inside a NAT64 address, or otherwise the given
 * address.
 */
function destinationOf(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const parsed = ipaddr.parse(address);
  const isTranslated = parsed instanceof ipaddr.IPv6 && parsed.match(NAT64);
  return isTranslated ? new ipaddr.IPv4(parsed.toByteArray().slice(IPV4_START)) : parsed;
}

function isGlobal(parsed: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return !SPECIAL_IPV4.some((range) => parsed.match(range));
  return parsed.match(GLOBAL_IPV6) && !SPECIAL_IPV6.some((range) => parsed.match(range));
}

/**
 * Returns true if the service must not connect to the address, because it belongs to this machine or is not global
 * unicast (rule N3 in security-rules.md).
 */
export function isBlockedAddress(address: string, ownAddresses: readonly string[] = []): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return true;
  const destination = destinationOf(address);
  return ownAddresses.includes(destination.toNormalizedString()) || !isGlobal(destination);
}

/** Returns the addresses of this machine's network interfaces, in the format that `isBlockedAddress` expects. */
export function readOwnAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({ address }) => ipaddr.parse(address.split('%', 1).join()).toNormalizedString());
}

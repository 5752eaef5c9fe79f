import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

const NETWORK_BITS = 64;

/** Prefix of IPv6 addresses that contain an IPv4 address (RFC 6052). Networks without IPv4 use it for IPv4 clients. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const IPV4_BYTES = 4;

/** Parses an IP address. Returns the IPv4 address for an IPv6 address that contains one. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4 || !address.match(NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-IPV4_BYTES));
}

/**
 * Returns the network under which an address is counted. For IPv6 it is the /64 network, because one host can use all
 * of its addresses.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = parseAddress(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${NETWORK_BITS}`).toString();
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address instanceof ipaddr.IPv4 ? 32 : 128];
}

const holds = ([first, bits]: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  first.kind() === address.kind() && address.match(first, bits);

// Proxies write an address in several formats: `192.0.2.1:4000`, `[2001:db8::1]:4000`, `"[2001:db8::1]"`. These two
// expressions remove the quotation marks, and then the port and the brackets.
const QUOTED = /^"(.*)"$/;
const WITH_PORT = /^(?:([\d.]+):\d{0,5}|\[([^\]]+)\](?::\d{0,5})?)$/;

/**
 * Normalizes an IP address that a proxy recorded. Removes the port, and the zone of an IPv6 address. Returns
 * `undefined` for any other text.
 */
function readAddress(given: string): string | undefined {
  const text = QUOTED.exec(given)?.[1] ?? given;
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (ipv4 ?? ipv6 ?? text).split('%', 1);
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress ? parseAddress(address).toString() : undefined;
}

/**
 * Creates the function that finds the client's address. Behind trusted proxies, the outermost trusted proxy has
 * recorded the client's address in X-Forwarded-For. If that proxy recorded none, its own address counts as the
 * client's.
 */
export function createAddressOf(trustedProxies: readonly string[]) {
  const isTrusted = createIsIn(trustedProxies);
  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const from = socket.remoteAddress ?? '';
    let client = readAddress(from) ?? from;
    if (trustedProxies.length === 0) return client;
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    for (const text of forwarded
      .map((part) => part.trim())
      .filter(Boolean)
      .reverse()) {
      if (!isTrusted(client)) break;
      const address = readAddress(text);
      if (address === undefined) break;
      client = address;
    }
    return client;
  };
}

/** Creates a function that checks whether an address is in one of these networks or equals one of these addresses. */
export function createIsIn(networks: readonly string[]): (address: string) => boolean {
  const parsed = networks.map(parseNetwork);
  return (text) => {
    if (parsed.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return parsed.some((network) => holds(network, address));
  };
}

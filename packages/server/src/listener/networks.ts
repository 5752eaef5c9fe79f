import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

const NETWORK_BITS = 64;

/** The network that an address is counted for: a host with IPv6 chooses its addresses from a whole /64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
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

// `192.0.2.1:4000`, `[2001:db8::1]:4000` or `[2001:db8::1]`: some proxies write the port of the client too.
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/;

/** Reads an address as a proxy writes it, in one spelling and without port and zone; `undefined` for any other text. */
function readAddress(text: string): string | undefined {
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (ipv4 ?? ipv6 ?? text).split('%', 1);
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress ? ipaddr.process(address).toString() : undefined;
}

/**
 * Finds the address of the client: behind trusted proxies, the one that the first of them recorded. A proxy that recorded no address
 * counts as the client.
 */
export function createAddressOf(trustedProxies: readonly string[]) {
  const isTrusted = createIsIn(trustedProxies);
  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const from = socket.remoteAddress ?? '';
    if (trustedProxies.length === 0) return from;
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    let client = readAddress(from) ?? from;
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

/** Checks whether an address is one of these, or in one of these networks. */
export function createIsIn(networks: readonly string[]): (address: string) => boolean {
  const parsed = networks.map(parseNetwork);
  return (text) => {
    if (parsed.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return parsed.some((network) => holds(network, address));
  };
}

import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

const NETWORK_BITS = 64;

/** Whom an address is counted for: a host of IPv6 has a whole network to choose its addresses from. */
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

/** Where a request comes from: behind proxies that are trusted, the address that the first of them wrote down. */
export function createAddressOf(trustedProxies: readonly string[]) {
  const isTrusted = createIsIn(trustedProxies);
  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const from = socket.remoteAddress ?? '';
    if (trustedProxies.length === 0) return from;
    const told = String(headers['x-forwarded-for'] ?? '').split(',');
    const way = [from, ...told.map((address) => address.trim()).reverse()].filter(
      (address) => address !== '',
    );
    return way.find((address) => !isTrusted(address)) ?? way.at(-1) ?? '';
  };
}

/** Whether an address is one of these, or in one of these networks. */
export function createIsIn(networks: readonly string[]): (address: string) => boolean {
  const parsed = networks.map(parseNetwork);
  return (text) => {
    if (parsed.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return parsed.some((network) => holds(network, address));
  };
}

import ipaddr from 'ipaddr.js';
import type { EgressProxies } from '../config/egress-proxies.js';

export interface EgressTarget {
  readonly protocol: string;
  /** Host name or IP address of the target, with or without square brackets. */
  readonly hostname: string;
  /** Port of the target. An empty string means the default port of the protocol. */
  readonly port: string;
}

/** Returns the proxy URL for a target. Returns `undefined` if the service connects to the target directly. */
export type FindEgressProxy = (target: EgressTarget) => string | undefined;

const plainHost = (host: string): string =>
  host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

// Returns true for loopback and link-local addresses, such as a cloud's metadata service. The service never uses a
// proxy for them.
function isLocal(host: string): boolean {
  if (!ipaddr.isValid(host)) return host === 'localhost' || host.endsWith('.localhost');
  return ['loopback', 'linkLocal'].includes(ipaddr.process(host).range());
}

// Splits an entry of `NO_PROXY` at its last colon into a host and an optional port.
const ENTRY = /^(.*?)(?::(\d+))?$/;

function matches(host: string, pattern: string): boolean {
  if (ipaddr.isValidCIDR(pattern)) {
    const [network, bits] = ipaddr.parseCIDR(pattern);
    const address = ipaddr.isValid(host) ? ipaddr.process(host) : undefined;
    return address?.kind() === network.kind() && address.match(network, bits);
  }
  if (ipaddr.isValid(pattern) && ipaddr.isValid(host))
    return ipaddr.process(pattern).toString() === ipaddr.process(host).toString();
  const domain = pattern.replace(/^\*?\./, '');
  return host === domain || host.endsWith(`.${domain}`);
}

function isDirect(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const isAddress = ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
  const [, pattern = '', only] = isAddress ? ['', entry] : (ENTRY.exec(entry) ?? []);
  return pattern !== '' && (only ?? port) === port && matches(host, plainHost(pattern));
}

/**
 * Creates the function that selects the egress proxy for a target. An entry of `NO_PROXY` is `*`, a host (including its
 * subdomains), an IP address or a network, optionally with a port.
 */
export function createFindEgressProxy({ https, http, all, direct }: EgressProxies): FindEgressProxy {
  return ({ protocol, hostname, port }) => {
    const proxy = (protocol === 'https:' ? https : http) ?? all;
    if (proxy === undefined) return undefined;
    const host = plainHost(hostname);
    const usedPort = port || (protocol === 'https:' ? '443' : '80');
    return isLocal(host) || direct.some((entry) => isDirect(entry, host, usedPort)) ? undefined : proxy;
  };
}

import ipaddr from 'ipaddr.js';

/** Proxies that outgoing requests go through (`HTTPS_PROXY`, `HTTP_PROXY`), and hosts that are reached directly (`NO_PROXY`). */
export interface EgressProxies {
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  readonly direct: readonly string[];
}

export interface EgressTarget {
  readonly protocol: string;
  /** Host name or literal address, with or without brackets. */
  readonly hostname: string;
  /** Empty for the default port of the protocol. */
  readonly port: string;
}

/** Finds the proxy for a target; `undefined` when it is reached directly. */
export type FindEgressProxy = (target: EgressTarget) => string | undefined;

const plainHost = (host: string): string =>
  host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

// This machine, and the metadata service of its cloud, are never behind a proxy.
function isLocal(host: string): boolean {
  if (!ipaddr.isValid(host)) return host === 'localhost' || host.endsWith('.localhost');
  return ['loopback', 'linkLocal'].includes(ipaddr.process(host).range());
}

// A host or network, and a port behind the last colon.
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

/** `NO_PROXY` lists `*`, hosts with their subdomains, addresses and networks, each with or without a port. */
export function createFindEgressProxy({ https, http, direct }: EgressProxies): FindEgressProxy {
  return ({ protocol, hostname, port }) => {
    const proxy = protocol === 'https:' ? https : http;
    if (proxy === undefined) return undefined;
    const host = plainHost(hostname);
    const usedPort = port || (protocol === 'https:' ? '443' : '80');
    return isLocal(host) || direct.some((entry) => isDirect(entry, host, usedPort)) ? undefined : proxy;
  };
}

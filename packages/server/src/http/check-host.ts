import { isIP } from 'node:net';
import { withTimeout } from '../concurrency/with-timeout.js';
import { isBlockedAddress, readOwnAddresses } from './blocked-addresses.js';
import { type ResolveHost, resolveHost } from './checked-lookup.js';

/** Resolves to false if a host has an address that the service must not connect to (rule N3 in security-rules.md). */
export type CheckHost = (hostname: string) => Promise<boolean>;

const RESOLVE_MS = 2000;

/**
 * Creates the function that checks a URL's host before the URL is stored. It resolves to false for a private or
 * reserved address. It resolves to true for a host name that has no address yet, because each connection checks the
 * address again.
 */
export function createCheckHost({
  resolve = resolveHost,
  ownAddresses = readOwnAddresses,
}: {
  readonly resolve?: ResolveHost;
  readonly ownAddresses?: () => readonly string[];
} = {}): CheckHost {
  return async function checkHost(hostname) {
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0) return !isBlockedAddress(literal, ownAddresses());
    const resolved = resolve(hostname).catch(() => []);
    const addresses = await withTimeout(RESOLVE_MS, resolved, () => []);
    return !addresses.some(({ address }) => isBlockedAddress(address, ownAddresses()));
  };
}

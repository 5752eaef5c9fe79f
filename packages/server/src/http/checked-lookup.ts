import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { ServiceError } from '../errors.js';
import { isBlockedAddress } from './blocked-addresses.js';

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true, verbatim: true });

export const blockedAddress = (): ServiceError =>
  new ServiceError(
    'connection_failed',
    'The upstream has no public address. An operator can list its origin for the connector in SVC_ALLOWED_ORIGINS. The audit log names the host.',
    { reason: 'blocked_address' },
  );

/**
 * Creates a DNS lookup that returns only allowed addresses. It refuses a host name if a single address is blocked,
 * because mixed public and private addresses indicate an attack.
 */
export function createCheckedLookup(
  resolve: ResolveHost,
  ownAddresses: () => readonly string[],
): LookupFunction {
  const resolveChecked = async (hostname: string, family: unknown): Promise<LookupAddress[]> => {
    const addresses = await resolve(hostname);
    const own = ownAddresses();
    if (addresses.length === 0 || addresses.some(({ address }) => isBlockedAddress(address, own))) {
      throw blockedAddress();
    }
    const wanted = addresses.filter((address) => !family || address.family === family);
    return wanted.length > 0 ? wanted : [...addresses];
  };

  return (hostname, options, callback) => {
    resolveChecked(hostname, options.family).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) return callback(null, addresses);
        return callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

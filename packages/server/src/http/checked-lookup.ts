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
    'The upstream has no public address. An operator can list its origin for the connector in SVC_ALLOWED_ORIGINS; the audit log names it.',
    { reason: 'blocked_address' },
  );

/**
 * Creates a DNS lookup that returns only allowed addresses. A single blocked address makes it refuse the host name,
 * because mixed public and private addresses indicate an attack.
 */
export function createCheckedLookup(
  resolve: ResolveHost,
  ownAddresses: () => readonly string[],
): LookupFunction {
  const resolveChecked = async (hostname: string, family: unknown): Promise<LookupAddress[]> => {
    const answers = await resolve(hostname);
    const own = ownAddresses();
    if (answers.length === 0 || answers.some(({ address }) => isBlockedAddress(address, own))) {
      throw blockedAddress();
    }
    const wanted = answers.filter((answer) => !family || answer.family === family);
    return wanted.length > 0 ? wanted : [...answers];
  };

  return (hostname, options, callback) => {
    resolveChecked(hostname, options.family).then(
      (answers) => {
        const [first] = answers;
        if (options.all) return callback(null, answers);
        return callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

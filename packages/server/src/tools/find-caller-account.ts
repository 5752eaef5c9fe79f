import { ServiceError } from '../errors.js';
import type { AccountReference, CheckAccount, Resolve, ResolvedAccount } from '../upstream/forward.js';

const unclear = () =>
  new ServiceError(
    'invalid_request',
    'Say which account the tool runs as: give connectedAccountId, or connectionName and identifier.',
  );

/** The account that a call names, at once where it is at hand. Throws invalid_request, and what `resolve` throws. */
export function findCallerAccount(
  resolve: Resolve,
  applicationId: string,
  {
    connectedAccountId,
    connectionName,
    identifier,
    checkAccount,
  }: AccountReference & { readonly checkAccount?: CheckAccount | undefined },
): ResolvedAccount | Promise<ResolvedAccount> {
  if (connectedAccountId !== undefined) {
    if (connectionName !== undefined || identifier !== undefined) throw unclear();
    return (
      resolve.cachedById(applicationId, connectedAccountId) ??
      resolve.byId(applicationId, connectedAccountId, checkAccount)
    );
  }
  if (connectionName === undefined || identifier === undefined) throw unclear();
  return (
    resolve.cached(applicationId, connectionName, identifier) ??
    resolve.byIdentifier(applicationId, connectionName, identifier, checkAccount)
  );
}

import { ServiceError } from '../errors.js';
import type { Account } from '../storage/accounts-table.js';
import { type AuthType, keyField } from './connector.js';

type Facts = Pick<Account, 'identifier' | 'connectionName' | 'status' | 'statusReason'>;

const accountPath = ({ connectionName, identifier }: Pick<Facts, 'identifier' | 'connectionName'>) =>
  `/v1/connections/${connectionName}/accounts/${encodeURIComponent(identifier)}`;

function sentence({ identifier, connectionName, status }: Facts): string {
  if (status === 'reauthorization_required')
    return `The access of "${identifier}" to "${connectionName}" has ended`;
  if (status === 'pending_verification')
    return `The consent of "${identifier}" to "${connectionName}" is not verified yet`;
  return `"${identifier}" has not consented to "${connectionName}" yet`;
}

/** Creates the error for a call to a host for which the account has no secondary credential. */
export function credentialMissing(
  { identifier, connectionName }: Pick<Facts, 'identifier' | 'connectionName'>,
  credential: string,
): ServiceError {
  const path = accountPath({ identifier, connectionName });
  return new ServiceError(
    'account_not_authorized',
    `"${identifier}" has no ${credential} for "${connectionName}" yet. Send { "credentials": { "${credential}": "…" } } with PUT ${path}.`,
    { identifier, connectionName, status: 'authorized', credential },
  );
}

/**
 * Creates the error for a call that needs OAuth scopes without the user's consent. The next authorization link requests
 * these scopes.
 */
export function scopesMissing(
  { identifier, connectionName }: Pick<Facts, 'identifier' | 'connectionName'>,
  requiredScopes: readonly string[],
): ServiceError {
  const authorizationLinkPath = `${accountPath({ identifier, connectionName })}/authorization-link`;
  return new ServiceError(
    'account_not_authorized',
    `"${identifier}" has not granted all scopes that this call of "${connectionName}" needs. Create a link with POST ${authorizationLinkPath} and show it to the user.`,
    { identifier, connectionName, status: 'authorized', requiredScopes, authorizationLinkPath },
  );
}

/**
 * Creates the error for an account without a valid credential. Its details contain the API path of the authorization
 * link. `advice` is a hint about the upstream.
 */
export function accountNotAuthorized(account: Facts, authType: AuthType, advice?: string): ServiceError {
  const { identifier, connectionName, status, statusReason } = account;
  const details = { identifier, connectionName, status, ...(statusReason !== null && { statusReason }) };
  const path = accountPath(account);
  const field = keyField(authType);
  if (field !== undefined) {
    const problem =
      status === 'reauthorization_required'
        ? sentence(account)
        : `"${identifier}" has no key for "${connectionName}" yet`;
    const sentences = [`${problem}. Send ${field} with PUT ${path}.`, advice ?? []].flat();
    return new ServiceError('account_not_authorized', sentences.join(' '), details);
  }
  return new ServiceError(
    'account_not_authorized',
    `${sentence(account)}. Create a link with POST ${path}/authorization-link and show it to the user.`,
    { ...details, authorizationLinkPath: `${path}/authorization-link` },
  );
}

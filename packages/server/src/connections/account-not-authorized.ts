import { ServiceError } from '../errors.js';
import type { AccountName, StoredAccount } from '../storage/accounts-table.js';
import { accountPath, userOf } from './account-name.js';
import { type AuthType, keyField } from './connector.js';

type Facts = Pick<StoredAccount, 'identifier' | 'account' | 'connectionName' | 'status' | 'statusReason'>;

const namesOf = ({ identifier, account, connectionName }: AccountName) => ({
  identifier,
  ...(account && { account }),
  connectionName,
});

function sentence(account: Facts): string {
  const { connectionName, status, statusReason } = account;
  const user = userOf(account);
  if (status === 'reauthorization_required' && statusReason === 'key_refused')
    return `The upstream refused the key of ${user} for "${connectionName}"`;
  if (status === 'reauthorization_required') return `The access of ${user} to "${connectionName}" has ended`;
  if (status === 'pending_verification')
    return `The consent of ${user} to "${connectionName}" is not verified yet`;
  return `${user} has not consented to "${connectionName}" yet`;
}

/**
 * Creates the error for a request to a secondary host whose own credential (`credential`) is not stored for the
 * account. Only connectors with keys have secondary credentials, and their authorization link asks for all of them.
 */
export function credentialMissing(account: AccountName, credential: string): ServiceError {
  const { connectionName } = account;
  const authorizationLinkPath = accountPath(account, '/authorization-link');
  return new ServiceError(
    'account_not_authorized',
    `${userOf(account)} has no credential "${credential}" for "${connectionName}" yet. Send { "credentials": { "${credential}": "…" } } with PUT ${accountPath(account)}, or create a link with POST ${authorizationLinkPath} and show it to the user.`,
    { ...namesOf(account), status: 'authorized', credential, authorizationLinkPath },
  );
}

/**
 * Creates the error for a call that needs OAuth scopes to which the user has not consented. The next authorization link
 * requests these scopes.
 */
export function scopesMissing(account: AccountName, requiredScopes: readonly string[]): ServiceError {
  const authorizationLinkPath = accountPath(account, '/authorization-link');
  return new ServiceError(
    'account_not_authorized',
    `${userOf(account)} has not granted a scope that this call of the connection "${account.connectionName}" needs (${requiredScopes.join(' ')}). Create a link with POST ${authorizationLinkPath} and show it to the user.`,
    { ...namesOf(account), status: 'authorized', requiredScopes, authorizationLinkPath },
  );
}

/**
 * Creates the error for a call that needs one of the OAuth scopes `requiredScopes`, of which the connection requests
 * none. A consent of the user would not help before the connection requests one.
 */
export function scopesNotRequested(account: AccountName, requiredScopes: readonly string[]): ServiceError {
  const { connectionName } = account;
  return new ServiceError(
    'connection_not_configured',
    `The connection "${connectionName}" requests no scope that this call needs. Add one of ${requiredScopes.join(', ')} to its \`scopes\` with PATCH /v1/connections/${connectionName}. Then create a link with POST ${accountPath(account, '/authorization-link')} and show it to the user.`,
    { ...namesOf(account), requiredScopes },
  );
}

/**
 * Creates the error for an account without a valid credential. The error's details contain the API path that creates an
 * authorization link. `advice`: hint about the upstream.
 */
export function accountNotAuthorized(account: Facts, authType: AuthType, advice?: string): ServiceError {
  const { connectionName, status, statusReason } = account;
  const authorizationLinkPath = accountPath(account, '/authorization-link');
  const details = {
    ...namesOf(account),
    status,
    ...(statusReason !== null && { statusReason }),
    authorizationLinkPath,
  };
  const field = keyField(authType);
  if (field !== undefined) {
    const problem =
      status === 'reauthorization_required'
        ? sentence(account)
        : `${userOf(account)} has no key for "${connectionName}" yet`;
    const sentences = [
      `${problem}. Send ${field} with PUT ${accountPath(account)}, or create a link with POST ${authorizationLinkPath} and show it to the user.`,
      advice ?? [],
    ].flat();
    return new ServiceError('account_not_authorized', sentences.join(' '), details);
  }
  const nextStep =
    status === 'pending_verification'
      ? `Verify it with POST /v1/accounts/verify. If the verification is no longer possible, create a link`
      : 'Create a link';
  return new ServiceError(
    'account_not_authorized',
    `${sentence(account)}. ${nextStep} with POST ${authorizationLinkPath} and show it to the user.`,
    details,
  );
}

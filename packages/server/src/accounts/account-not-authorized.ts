import { ServiceError } from '../errors.js';
import type { Account } from '../storage/accounts-table.js';
import { type AuthType, keyField } from './connector.js';

type Facts = Pick<Account, 'identifier' | 'connectionName' | 'status' | 'statusReason'>;

const accountPath = ({ connectionName, identifier }: Facts) =>
  `/v1/connections/${connectionName}/accounts/${encodeURIComponent(identifier)}`;

function sentence({ identifier, connectionName, status }: Facts): string {
  if (status === 'reauthorization_required')
    return `The access of "${identifier}" to "${connectionName}" has ended`;
  if (status === 'pending_verification')
    return `The approval of "${identifier}" for "${connectionName}" is not verified yet`;
  return `"${identifier}" has not approved "${connectionName}" yet`;
}

/** The error of an account that cannot be used now; its details carry the way to get a link. */
export function accountNotAuthorized(account: Facts, authType: AuthType): ServiceError {
  const { identifier, connectionName, status, statusReason } = account;
  const details = { identifier, connectionName, status, ...(statusReason !== null && { statusReason }) };
  const path = accountPath(account);
  const field = keyField(authType);
  if (field !== undefined) {
    return new ServiceError(
      'account_not_authorized',
      `"${identifier}" has no key for "${connectionName}" yet; send ${field} by PUT ${path}.`,
      details,
    );
  }
  return new ServiceError(
    'account_not_authorized',
    `${sentence(account)}; POST ${path}/authorization-link and show the user the link.`,
    { ...details, authorizationLinkPath: `${path}/authorization-link` },
  );
}

import { ServiceError } from '../errors.js';
import type { AccountName } from '../storage/accounts-table.js';

/** Maximum bytes of a user identifier, and of a connection name in a path. */
export const MAX_IDENTIFIER_BYTES = 256;
const MAX_LABEL_CHARACTERS = 64;

function identifierProblem(identifier: string): string | undefined {
  const length = Buffer.byteLength(identifier);
  if (length === 0) return 'is empty';
  if (length > MAX_IDENTIFIER_BYTES) return `has ${length} bytes`;
  if (!identifier.isWellFormed())
    return 'contains half of a UTF-16 surrogate pair, which UTF-8 cannot encode';
  return /\p{Cc}/u.test(identifier) ? 'contains a control character' : undefined;
}

/**
 * Checks an identifier: the application's own id for its user. An identifier has 1 to 256 bytes and no control
 * characters.
 */
export function checkIdentifier(identifier: string): string {
  const problem = identifierProblem(identifier);
  if (problem === undefined) return identifier;
  throw new ServiceError(
    'invalid_request',
    `The user identifier ${problem}. Send 1 to ${MAX_IDENTIFIER_BYTES} bytes of UTF-8 without control characters.`,
  );
}

/**
 * Returns true for a valid label, which tells several accounts of one user on one connection apart. It has 1 to 64
 * characters, no control characters, and no spaces at its ends.
 */
const isLabel = (account: string): boolean =>
  account !== '' &&
  account.length <= 2 * MAX_LABEL_CHARACTERS &&
  [...account].length <= MAX_LABEL_CHARACTERS &&
  account.isWellFormed() &&
  account.trim() === account &&
  !/\p{Cc}/u.test(account);

/**
 * Checks the label of an account and returns it. Throws invalid_request if it is invalid. No label and an empty label
 * are equal.
 */
export function checkLabel(account = ''): string {
  if (account === '' || isLabel(account)) return account;
  throw new ServiceError(
    'invalid_request',
    `The account label is invalid. Send 1 to ${MAX_LABEL_CHARACTERS} characters without control characters, and without spaces at the beginning or end.`,
  );
}

/** Returns the user identifier and the label of an account as text for an error message. */
export const userOf = ({ identifier, account }: Pick<AccountName, 'identifier' | 'account'>): string =>
  account ? `"${identifier}" with the label "${account}"` : `"${identifier}"`;

/**
 * Returns the query string with the account's label, for a URL path of the API. Returns an empty string without a
 * label.
 */
export const labelQuery = ({ account }: Pick<AccountName, 'account'>): string =>
  account ? `?account=${encodeURIComponent(account)}` : '';

/** Returns the path of an account in the HTTP API, or of an operation below it. */
export const accountPath = (name: AccountName, operation = ''): string =>
  `/v1/connections/${name.connectionName}/accounts/${encodeURIComponent(name.identifier)}${operation}${labelQuery(name)}`;

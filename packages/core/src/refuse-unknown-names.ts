import { closestName } from '@svc/catalog/closest-name';
import { assert } from './errors.js';
import type { AccountName, AccountReference } from './resources.js';

/** Fields of the name of an account. */
export const ACCOUNT = ['connectionName', 'identifier', 'account'];

/** Names of options in other API clients, in lower case, with the names that this client uses. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  baseurl: 'environmentUrl',
  user: 'identifier',
  userid: 'identifier',
};

/**
 * Throws `invalid_request` when an object has a field that its function does not know. The compiler reports such a
 * field in TypeScript; JavaScript would ignore it. A field with the value `undefined` counts as absent.
 *
 * @param where Name of the function, which the message contains.
 */
export function refuseUnknownNames(where: string, given: object, known: readonly string[]): void {
  const names = known.join(', ');
  assert(given && typeof given === 'object', 'invalid_request', `${where} needs an object with ${names}.`);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    const meant = findMeant(name, known);
    const hint = meant ? ` Did you mean "${meant}"?` : '';
    assert(false, 'invalid_request', `${where} does not accept "${name}".${hint} It accepts ${names}.`);
  }
}

/** Returns true for a reference by id. Each connected account is one. */
export const hasId = (account: AccountReference): account is { id: string } =>
  typeof account === 'object' && account !== null && 'id' in account;

/**
 * Throws `invalid_request` if the name of an account lacks a field, or has an unknown one. A connected account may have
 * further fields, which are not sent.
 */
export function checkAccount(where: string, account: AccountName, names: readonly string[]): void {
  if (!hasId(account)) refuseUnknownNames(where, account, [...ACCOUNT, ...names]);
  const isNamed = account.connectionName && account.identifier;
  assert(isNamed, 'invalid_request', `${where} needs connectionName and identifier.`);
  const isText = String(account.account ?? '').isWellFormed();
  assert(isText, 'invalid_request', `${where} needs an account label of valid Unicode.`);
}

function findMeant(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase();
  const isPart = (other: string) => other.includes(plain) || plain.includes(other);
  return (
    known.find((other) => other === COMMON_NAMES[plain]) ??
    closestName(name, known) ??
    known.find((other) => isPart(other.toLowerCase()))
  );
}

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

/** Options of `withOptions`. */
export const SHARED_OPTIONS = ['fetch', 'timeout', 'maxRetries', 'headers'];
/** Types of fields, as `typeof` names them. A field may have several types. */
const TYPES: Readonly<Record<string, string>> = {
  identifier: 'string',
  accessToken: 'string or function',
  fetch: 'function',
  timeout: 'number',
  maxRetries: 'number',
  headers: 'object',
};

/**
 * Throws `invalid_request` when an object has a field that its function does not know, or an option of a wrong type.
 * The compiler reports such a field in TypeScript; JavaScript would ignore it. A field with the value `undefined` or
 * `null` counts as absent.
 *
 * @param where Name of the function, which the message contains.
 * @param ignored Names of further fields that the function accepts and ignores. The message does not list them.
 */
export function refuseUnknownNames(
  where: string,
  given: object,
  known: readonly string[],
  ignored: readonly string[] = [],
): void {
  const names = known.join(', ');
  assert(given && typeof given === 'object', 'invalid_request', `${where} needs an object with ${names}.`);
  for (const [name, value] of Object.entries(given)) {
    if (value == null || ignored.includes(name)) continue;
    if (!known.includes(name)) {
      const meant = findMeant(name, known);
      const hint = meant ? ` Did you mean "${meant}"?` : '';
      assert(false, 'invalid_request', `${where} does not accept "${name}".${hint} It accepts ${names}.`);
    }
    const type = TYPES[name] ?? typeof value;
    assert(type.includes(typeof value), 'invalid_request', `${where} needs a ${type} as "${name}".`);
  }
}

/** Returns true for a reference by id. Each connected account is one. */
export const hasId = (account: AccountReference): account is { id: string } =>
  Boolean((account as Partial<{ id: string }> | null)?.id);

/**
 * Throws `invalid_request` if the name of an account lacks a field, or has an unknown one. A connected account may have
 * further fields, which are not sent.
 */
export function checkAccount(where: string, account: AccountName, names: readonly string[]): void {
  if (!hasId(account)) refuseUnknownNames(where, account, [...ACCOUNT, ...names]);
  const isNamed = account.connectionName && account.identifier;
  const isText = String(account.account ?? '').isWellFormed();
  assert(
    isNamed && isText,
    'invalid_request',
    `${where} needs connectionName and identifier. A label must be valid Unicode.`,
  );
}

/** Share of equal letter pairs from which a known name counts as the meant one. */
const MIN_SIMILARITY = 0.5;

/** Returns the known name that a misspelt name or the name of another client probably means. */
function findMeant(name: string, known: readonly string[]): string | undefined {
  const common = COMMON_NAMES[name.toLowerCase()] ?? '';
  if (known.includes(common)) return common;
  const closestFirst = known.toSorted((a, b) => similarity(name, b) - similarity(name, a));
  return closestFirst.find((each) => similarity(name, each) >= MIN_SIMILARITY);
}

/**
 * Returns the share of letter pairs that two names have in common, from 0 to 1: their Dice coefficient. Unlike
 * `closestName` of the catalogue, it also finds a part of a name, such as `connection` of `connectionName`.
 */
function similarity(a: string, b: string): number {
  const pairs = pairsOf(a);
  const others = pairsOf(b);
  const shared = pairs.filter((pair) => others.includes(pair));
  return (2 * shared.length) / (pairs.length + others.length);
}

function pairsOf(name: string): string[] {
  const letters = name.toLowerCase();
  return Array.from(letters, (_, at) => letters.slice(at, at + 2));
}

import { closestName } from '@svc/catalog/closest-name';

const NAMES = ['schemas', 'accounts', 'only', 'needsApproval', 'dryRun'];

function unknownOption(name: string): TypeError {
  const meant = closestName(name, NAMES);
  const hint = meant ? ` Did you mean "${meant}"?` : '';
  return new TypeError(`tools does not accept "${name}".${hint} It accepts ${NAMES.join(', ')}.`);
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Throws a TypeError for options of `tools` that the compiler refuses in TypeScript. JavaScript would ignore a misspelt
 * `dryRun`, and the call would change data. An option with the value `undefined` counts as absent.
 */
export function checkOptions(options: object): void {
  if (!isObject(options)) throw new TypeError(`tools needs an object with ${NAMES.join(', ')}.`);
  const given = new Map(Object.entries(options).filter(([, value]) => value !== undefined));
  for (const name of given.keys()) {
    if (!NAMES.includes(name)) throw unknownOption(name);
  }
  if (!isObject(given.get('schemas')))
    throw new TypeError('The option "schemas" of tools is missing. Import it from @svc/<connector>/schemas.');
  if (!isObject(given.get('accounts')))
    throw new TypeError('The option "accounts" of tools is missing. Name the account of each connector.');
  if (!Array.isArray(given.get('only') ?? []))
    throw new TypeError('The option "only" of tools must be an array of tool names.');
  if (typeof (given.get('needsApproval') ?? checkOptions) !== 'function')
    throw new TypeError(
      'The option "needsApproval" of tools must be a function of a tool that returns true or false.',
    );
  if (typeof (given.get('dryRun') ?? false) !== 'boolean')
    throw new TypeError('The option "dryRun" of tools must be true or false.');
}

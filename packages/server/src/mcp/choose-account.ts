import type { JsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { Surface } from './surface.js';
import type { DescribedTool } from './wire-tool.js';

export interface Chosen {
  readonly connectionName: string;
  /** Without the choice. */
  readonly toolInput: JsonObject;
}

const notValid = (field: string, rule: string, message: string): ServiceError =>
  new ServiceError('invalid_input', message, { errors: [{ field, rule, message }] });

/** The account that a call means: the only one, or the one that it names. Throws invalid_input, and never picks. */
export function chooseAccount(
  { reach }: Surface,
  { tool, accountInput }: DescribedTool,
  input: JsonObject,
): Chosen {
  const names = reach.get(tool.connector) ?? [];
  const { [accountInput]: given, ...toolInput } = input;
  const choices = names.map((name) => JSON.stringify(name)).join(', ');
  const [only] = names;
  if (given === undefined) {
    if (only !== undefined && names.length === 1) return { connectionName: only, toolInput };
    const message = `The user has several accounts: name one in "${accountInput}": ${choices}.`;
    throw notValid(accountInput, 'required', message);
  }
  if (typeof given === 'string' && names.includes(given)) return { connectionName: given, toolInput };
  throw notValid(accountInput, 'enum', `"${accountInput}" must be one of ${choices}.`);
}

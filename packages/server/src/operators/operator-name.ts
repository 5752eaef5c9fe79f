import { ServiceError } from '../errors.js';

const NAME = /^[a-z0-9][a-z0-9._@+-]{0,63}$/;

/** Converts an operator name to lower case and validates it. Throws invalid_request for an invalid name. */
export function toName(given: string): string {
  const name = given.toLowerCase();
  if (NAME.test(name)) return name;
  throw new ServiceError(
    'invalid_request',
    `"${given}" is not a valid operator name. Begin with a letter or digit. Use at most 64 letters, digits and . _ @ + -, such as ada or ada@example.com.`,
  );
}

export const noOperator = (name: string) =>
  new ServiceError(
    'not_found',
    `There is no operator "${name}". \`svc-server operators list\` lists the names.`,
  );

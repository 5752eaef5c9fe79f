import { ServiceError } from '../errors.js';

/** The refusal of an input that a schema cannot judge, in the form in which schema errors are told. */
export const invalidInput = (field: string, rule: string, problem: string): ServiceError => {
  const message = `"${field}" ${problem}`;
  return new ServiceError('invalid_input', message, { errors: [{ field, rule, message }] });
};

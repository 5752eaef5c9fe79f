import { ServiceError } from '../errors.js';

/** Error of an input that no schema can check, in the form of schema errors. */
export const invalidInput = (field: string, rule: string, problem: string): ServiceError => {
  const message = `"${field}" ${problem}`;
  return new ServiceError('invalid_input', message, { errors: [{ field, rule, message }] });
};

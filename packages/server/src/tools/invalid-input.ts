import { ServiceError } from '../errors.js';

/**
 * Creates an invalid_input error for a rule that the tool's JSON Schema cannot express. The error details have the
 * format of schema errors.
 */
export const invalidInput = (field: string, rule: string, problem: string): ServiceError => {
  const message = `"${field}" ${problem}`;
  return new ServiceError('invalid_input', message, { errors: [{ field, rule, message }] });
};

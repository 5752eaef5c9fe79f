import { ServiceError } from '../errors.js';
import type { OperatorRole } from '../storage/operator-rows.js';

export type { OperatorRole };

/**
 * Operator roles in ascending order: a reader can only read, an operator can change everything except operators, an
 * owner can change everything.
 */
export const OPERATOR_ROLES: readonly OperatorRole[] = ['reader', 'operator', 'owner'];

export const mayActAs = (role: OperatorRole, needed: OperatorRole): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);

export function toRole(given: string): OperatorRole {
  const role = OPERATOR_ROLES.find((each) => each === given);
  if (role) return role;
  throw new ServiceError(
    'invalid_request',
    `"${given}" is not a role. Use one of ${OPERATOR_ROLES.join(', ')}.`,
  );
}

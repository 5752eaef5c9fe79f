import { type BrokenRule, isJsonObject } from '@svc/catalog/rules';
import { ApiError } from './api-error.ts';

const isBrokenRule = (value: unknown): value is BrokenRule =>
  isJsonObject(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string';

/** What the service found wrong, each with the field that it is about. */
export function brokenRules(error: unknown): readonly BrokenRule[] {
  const errors = error instanceof ApiError ? error.details['errors'] : undefined;
  return Array.isArray(errors) ? errors.filter(isBrokenRule) : [];
}

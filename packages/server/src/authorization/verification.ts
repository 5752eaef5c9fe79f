import { ServiceError } from '../errors.js';
import type { ApplicationRow } from '../storage/schema.js';

type Settings = Pick<ApplicationRow, 'id' | 'name' | 'production' | 'verifyUrl'>;

/**
 * Where the browser goes so that the application can say who its user is; `undefined` when nobody is asked (rules O4 and O6).
 * Throws application_not_configured when somebody must be asked and nobody can be.
 */
export function verifyUrlOf({ name, production, verifyUrl }: Settings): string | undefined {
  if (verifyUrl !== null) return verifyUrl;
  if (production === 0) return undefined;
  throw new ServiceError(
    'application_not_configured',
    `"${name}" is marked production and has no verify URL, so that nobody could say who approved; set its verify URL.`,
  );
}

import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';

/**
 * Marks the loss of a response as not repeatable when the connector repeats no call: the upstream may have done the work and charged
 * for it. Any other error stays as it is.
 */
export function toFinal(error: unknown, { retry }: Connector): unknown {
  const isLost =
    error instanceof ServiceError &&
    (error.code === 'connection_failed' || error.code === 'upstream_timeout');
  if (!isLost || retry.attempts > 1) return error;
  const details = { ...error.details, repeatable: false };
  return new ServiceError(error.code, error.message, details, { cause: error });
}

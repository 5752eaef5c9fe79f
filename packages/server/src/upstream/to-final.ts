import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';

/**
 * Marks the error of a request that got no response as not repeatable, if the connector forbids retries. The upstream
 * may have done the work and charged for it. Returns other errors unchanged.
 */
export function toFinal(error: unknown, { retry }: Connector): unknown {
  const isLost =
    error instanceof ServiceError &&
    (error.code === 'connection_failed' || error.code === 'upstream_timeout');
  if (!isLost || retry.attempts > 1) return error;
  const details = { ...error.details, repeatable: false };
  return new ServiceError(error.code, error.message, details, { cause: error });
}

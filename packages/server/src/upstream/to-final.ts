import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';

/**
 * Marks the loss of an answer where the connector says that no call is repeated: the upstream may have worked, and charged,
 * for it, so nobody may repeat it unasked. Every other error stays as it is.
 */
export function toFinal(error: unknown, { retry }: Connector): unknown {
  const isLost =
    error instanceof ServiceError &&
    (error.code === 'connection_failed' || error.code === 'upstream_timeout');
  if (!isLost || retry.attempts > 1) return error;
  const details = { ...error.details, repeatable: false };
  return new ServiceError(error.code, error.message, details, { cause: error });
}

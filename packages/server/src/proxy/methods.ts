import { ServiceError } from '../errors.js';

/** HTTP methods that the proxy forwards. For all others, the caller gets `method_not_allowed`. */
export const PROXY_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const otherMethod = (): ServiceError =>
  new ServiceError(
    'method_not_allowed',
    `This method is not supported. The proxy supports ${PROXY_METHODS.join(', ')}.`,
    {
      allow: PROXY_METHODS,
    },
  );

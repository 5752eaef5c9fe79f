import { ServiceError } from '../errors.js';

/** Timeout of a call to the key service, in milliseconds. It is short because requests wait for this call. */
export const KEY_SERVICE_TIMEOUT_MS = 3000;

export const keyServiceDown = (cause: unknown): ServiceError =>
  new ServiceError(
    'unavailable',
    'The key service with the root key cannot be reached. Retry in a few seconds. If the error persists, the operator of the service must check the key service and the network connection to it.',
    { retryAfter: 5, reason: 'key_service' },
    { cause },
  );

/** Creates the error for a refusal that lasts until an operator changes the key or its permissions. */
export const keyServiceRefuses = (cause: unknown): ServiceError =>
  new ServiceError(
    'unavailable',
    'The key service refuses to use the root key. The operator of the service must make sure that the key exists and is enabled, and that the service may encrypt and decrypt with it. Retry after that.',
    { retryAfter: 60, reason: 'key_service' },
    { cause },
  );

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

/**
 * Loads the client library of a key service. It is an optional dependency that only operators who use the key service
 * install.
 */
export async function loadClient<Client>(name: string, load: () => Promise<Client>): Promise<Client> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ServiceError(
      'invalid_request',
      `The root key belongs to a key service whose client is not installed. Run \`npm install ${name}\` in the folder of the service.`,
      undefined,
      { cause: error },
    );
  }
}

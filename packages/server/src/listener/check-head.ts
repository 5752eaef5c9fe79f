import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';

const MAX_HEADERS = 64;
const MAX_URL_BYTES = 8192;

/** Detects a second Content-Type header. Node.js uses the first one, but an upstream could use either. */
function hasSecondType(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 12 && name.toLowerCase() === 'content-type') count += 1;
  }
  return count > 1;
}

/**
 * Throws when the request headers are too large (rule A10 in security-rules.md) or contain two Content-Type headers.
 */
export function checkHead({ rawHeaders, url = '' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>): void {
  if (rawHeaders.length > MAX_HEADERS * 2) {
    throw new ServiceError(
      'headers_too_large',
      `The request has more than ${MAX_HEADERS} headers. Send fewer headers.`,
    );
  }
  if (url.length > MAX_URL_BYTES) {
    throw new ServiceError('invalid_request', `The URL is longer than ${MAX_URL_BYTES} bytes. Shorten it.`);
  }
  if (hasSecondType(rawHeaders)) {
    throw new ServiceError('invalid_request', 'The request has several Content-Type headers. Send only one.');
  }
}

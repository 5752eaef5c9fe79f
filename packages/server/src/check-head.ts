import type { IncomingMessage } from 'node:http';
import { ServiceError } from './errors.js';

const MAX_HEADERS = 64;
const MAX_URL_BYTES = 8192;

/** Refuses a head that says too much (rule A10). */
export function checkHead({ rawHeaders, url = '' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>): void {
  if (rawHeaders.length > MAX_HEADERS * 2) {
    throw new ServiceError('headers_too_large', `A request may have ${MAX_HEADERS} headers at most.`);
  }
  if (url.length > MAX_URL_BYTES) {
    throw new ServiceError('invalid_request', `The URL may have ${MAX_URL_BYTES} bytes at most.`);
  }
}

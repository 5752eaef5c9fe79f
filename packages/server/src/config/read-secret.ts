import { readFileSync } from 'node:fs';
import { ServiceError } from '../errors.js';

const FILE = 'file:';

/** The value of a setting, or what stands in the file that it names. The line break that editors add does not count. */
export function readSecret(name: string, value: string | undefined): string | undefined {
  if (!value?.startsWith(FILE)) return value;
  try {
    return readFileSync(value.slice(FILE.length), 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new ServiceError(
      'invalid_request',
      `${name} is "${value}", a file that cannot be read; name one that the service may read.`,
      undefined,
      { cause: error },
    );
  }
}

import { mkdirSync } from 'node:fs';
import { ServiceError } from '../errors.js';

/** Makes the folder of the database and the key file, readable for the service alone. Throws one sentence when it cannot. */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ServiceError(
      'invalid_request',
      `The data folder ${folder} cannot be made; make it writable for the service, or set SVC_DATA.`,
      undefined,
      { cause: error },
    );
  }
}

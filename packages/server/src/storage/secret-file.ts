import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../errors.js';

/** What a first start makes at random, where it is not printed. */
export const FIRST_SECRETS = 'first-secrets';

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

// 'wx' makes the file or fails: it neither follows a link nor writes into what somebody else has open.
function openNew(folder: string, name: string, attempt = 1): { file: string; opened: number } {
  const file = path.join(folder, attempt === 1 ? name : `${name}-${attempt}`);
  try {
    return { file, opened: openSync(file, 'wx', 0o600) };
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return openNew(folder, name, attempt + 1);
    throw error;
  }
}

/** Writes a new file that this user alone can read, and gives its path. It takes the place of no other. */
export function writeSecretFile(folder: string, name: string, text: string): string {
  try {
    const { file, opened } = openNew(folder, name);
    writeSync(opened, text);
    fsyncSync(opened);
    closeSync(opened);
    return file;
  } catch (error) {
    throw new ServiceError(
      'invalid_request',
      `The first secrets could not be written to ${folder} and are lost; make it writable, and make others with \`svc-server apps secrets add\` and \`svc-server operators reset\`.`,
      undefined,
      { cause: error },
    );
  }
}

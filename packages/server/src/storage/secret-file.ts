import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../errors.js';

export interface SecretFile {
  readonly name: string;
  /** Name of the secret that is lost if the file cannot be written, for the error message. */
  readonly lost: string;
  /** Instruction for creating a new secret, for the error message. */
  readonly remedy: string;
}

/** File for the random secrets that the first start creates, if the start must not print them. */
export const FIRST_SECRETS: SecretFile = {
  name: 'first-secrets',
  lost: 'the secrets of the first start are lost',
  remedy: 'create new ones with `svc-server apps secrets add` and `svc-server operators reset`',
};

/** File for an operator's one-time sign-in link, if the start must not print it. */
export const SIGN_IN_LINK: SecretFile = {
  name: 'sign-in-link',
  lost: 'the sign-in link is lost',
  remedy: 'create another link with `svc-server operators link`',
};

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

// Creates the secret file. The flag 'wx' makes it fail if the file exists, so that the secret is never written through
// a symbolic link or into an existing file.
function openNew(folder: string, name: string, attempt = 1): { file: string; opened: number } {
  const file = path.join(folder, attempt === 1 ? name : `${name}-${attempt}`);
  try {
    return { file, opened: openSync(file, 'wx', 0o600) };
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return openNew(folder, name, attempt + 1);
    throw error;
  }
}

/**
 * Writes a secret to a new file that only the current user can read, and returns its path. Never replaces an existing
 * file.
 */
export function writeSecretFile(folder: string, { name, lost, remedy }: SecretFile, text: string): string {
  try {
    const { file, opened } = openNew(folder, name);
    writeSync(opened, text);
    fsyncSync(opened);
    closeSync(opened);
    return file;
  } catch (error) {
    throw new ServiceError(
      'invalid_request',
      `The folder ${folder} cannot be written, so ${lost}. Make the folder writable for the service, then ${remedy}.`,
      undefined,
      { cause: error },
    );
  }
}

/** Replaces the secret file from an earlier start, because its secret is no longer valid. */
export function replaceSecretFile(folder: string, secret: SecretFile, text: string): string {
  rmSync(path.join(folder, secret.name), { force: true });
  return writeSecretFile(folder, secret, text);
}

import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../errors.js';
import type { Random } from '../text/random.js';
import { systemReason } from '../text/system-reason.js';
import { createLocalRootKey, FORM, parseRootKey, ROOT_KEY_BYTES } from './local-root-key.js';
import type { RootKey } from './root-key.js';

/** File with one root key per line. The first key encrypts, and all others only decrypt. */
export interface RootKeyFile {
  readonly path: string;
  /** Reads the root keys from the file. Throws `unavailable` if the file can no longer be read. */
  readonly keys: () => readonly RootKey[];
  /** Adds a new root key as the first line of the file. Returns the id of the key. */
  readonly add: () => string;
  /** Removes all keys except the first key and the keys with the given ids. Returns the ids of the removed keys. */
  readonly deleteExcept: (ids: ReadonlySet<string>) => readonly string[];
}

const SUFFIX_BYTES = 6;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ServiceError(
      'invalid_request',
      `The root key file ${file} cannot be read. Make it readable for the service, or set SVC_ROOT_KEY.`,
      undefined,
      { cause: error },
    );
  }
}

function missing(file: string): never {
  throw new ServiceError(
    'invalid_request',
    `The root key file ${file} does not exist. Restore the file from a backup. Or set SVC_ROOT_KEY to the root key, or to "file:" and the right path.`,
  );
}

function syncFolder(file: string): void {
  const folder = openSync(path.dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

// Gives a new key file the owner and mode of the old one. The service may run as another user than the command that
// writes the file. The owner changes first, so that the mode never applies to a wrong owner or group.
function makeLike(opened: number, { uid, gid, mode }: Stats): void {
  const made = fstatSync(opened);
  if (made.uid !== uid || made.gid !== gid) fchownSync(opened, uid, gid);
  fchmodSync(opened, mode & 0o777);
}

// Writes a new key file and flushes it to disk before the service uses its keys. If a key were lost after its use, all
// data that it encrypted would be lost.
function writeNew(file: string, text: string, like?: Stats): void {
  const opened = openSync(file, 'wx', 0o600);
  try {
    writeSync(opened, text);
    if (like) makeLike(opened, like);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  syncFolder(file);
}

/** Builds the error message that asks an operator to change the key file by hand. */
type Explain = (file: string, reason: string) => string;

interface Replacement {
  readonly lines: readonly string[];
  readonly random: Random;
  readonly explain: Explain;
}

function replace(file: string, { lines, random, explain }: Replacement): void {
  const written = `${file}.${random(SUFFIX_BYTES).toString('hex')}`;
  try {
    writeNew(written, `${lines.join('\n')}\n`, statSync(file));
    renameSync(written, file);
  } catch (error) {
    if (existsSync(written)) rmSync(written);
    throw new ServiceError('invalid_request', explain(file, systemReason(error)), undefined, {
      cause: error,
    });
  }
  syncFolder(file);
}

const addByHand: Explain = (file, reason) =>
  `The root key file ${file} cannot be replaced (${reason}), so no new key was added. Create a key with \`openssl rand -base64 32\`, and add it to the file as its first line. Then run \`svc-server keys rotate --root --finish\`.`;

function removeByHand(ids: readonly string[]): Explain {
  return (file, reason) =>
    `The root keys ${ids.join(', ')} are no longer needed, but the root key file ${file} cannot be replaced (${reason}). Remove the lines of these keys from the file. The lines are in the order in which \`svc-server keys status\` lists the keys.`;
}

const RESTORE = `Restore the file from a backup. ${FORM}`;

function parseLines(file: string, text: string): readonly { readonly line: string; readonly key: RootKey }[] {
  if (text.trim() === '')
    throw new ServiceError('invalid_request', `The root key file ${file} is empty. ${RESTORE}`);
  return text.split('\n').flatMap((written, index) => {
    const line = written.trim();
    if (line === '') return [];
    const from = `Line ${index + 1} of the root key file ${file}`;
    return { line, key: createLocalRootKey(parseRootKey(line, from, RESTORE)) };
  });
}

export interface RootKeyFileOptions {
  readonly file: string;
  /** If true, creates a missing file with mode 0600. */
  readonly make: boolean;
  readonly random: Random;
}

/** Opens the root key file. Throws an error with instructions if the file contains no keys. */
export function openRootKeyFile({ file, make, random }: RootKeyFileOptions): RootKeyFile {
  const newLine = () => random(ROOT_KEY_BYTES).toString('base64');
  if (make && read(file) === undefined) writeNew(file, `${newLine()}\n`);

  const load = () => parseLines(file, read(file) ?? missing(file));
  let lines = load();

  function keys(): readonly RootKey[] {
    try {
      lines = load();
    } catch (error) {
      throw new ServiceError(
        'unavailable',
        'The root key file cannot be read. Retry in a few seconds. If the error persists, the operator of the service must check the root key file.',
        { retryAfter: 5 },
        { cause: error },
      );
    }
    return lines.map(({ key }) => key);
  }

  return {
    path: file,
    keys,
    add() {
      const line = newLine();
      replace(file, { lines: [line, ...load().map((each) => each.line)], random, explain: addByHand });
      return createLocalRootKey(Buffer.from(line, 'base64')).id;
    },
    deleteExcept(ids) {
      const current = load();
      const remaining = current.filter(({ key }, index) => index === 0 || ids.has(key.id));
      const removed = current.flatMap((each) => (remaining.includes(each) ? [] : each.key.id));
      if (removed.length === 0) return [];
      replace(file, { lines: remaining.map(({ line }) => line), random, explain: removeByHand(removed) });
      return removed;
    },
  };
}

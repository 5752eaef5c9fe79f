import { createHmac, hkdfSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import type { Random } from './random.js';

/** What is derived from the operator's 32 bytes; the bytes themselves are not kept. */
export interface RootKey {
  /** Stands in everything that was made with this key, so that a later key can tell its own. */
  readonly id: string;
  /** A function, so that printing a root key shows nothing. */
  readonly wrappingKey: () => Buffer;
  /** HMAC-SHA-256 under a key that the database does not have. Digests of different purposes never agree. */
  readonly digest: (purpose: string, value: string) => string;
}

export interface RootKeySource {
  /** SVC_ROOT_KEY: 32 bytes in hex or base64. */
  readonly value: string | undefined;
  /** Used when there is no value; made with mode 0600 when it does not exist. */
  readonly file: string;
  readonly random: Random;
}

const KEY_BYTES = 32;

function parseKey(text: string, from: string): Buffer {
  const trimmed = text.trim();
  const isHex = /^[0-9a-f]{64}$/i.test(trimmed);
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed);
  if (isHex || isBase64) return Buffer.from(trimmed, isHex ? 'hex' : 'base64');
  throw new ServiceError(
    'invalid_request',
    `${from} is not a root key; give 32 random bytes in base64 or hex, such as \`openssl rand -base64 32\` prints.`,
  );
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ServiceError(
      'invalid_request',
      `The root key file ${path} cannot be read; make it readable for the service, or set SVC_ROOT_KEY.`,
      undefined,
      { cause: error },
    );
  }
}

// On disk before anything is encrypted with it: a lost key is lost data.
function writeFile(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
}

function readOrMakeFile({ file, random }: RootKeySource): Buffer {
  const text = readFile(file);
  if (text !== undefined) return parseKey(text, `The content of ${file}`);
  const key = random(KEY_BYTES);
  writeFile(file, `${key.toString('base64')}\n`);
  return key;
}

export function deriveRootKey(key: Buffer): RootKey {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `svc ${purpose} 1`, KEY_BYTES));
  const pepper = derive('pepper');
  const wrappingKey = derive('wrapping');
  const id = derive('id').toString('hex').slice(0, 16);
  return {
    id,
    wrappingKey: () => wrappingKey,
    digest: (purpose, value) =>
      `${id}.${createHmac('sha256', pepper).update(`${purpose}\0${value}`).digest('base64url')}`,
  };
}

/** Throws one sentence that says what to do when there is no usable key. */
export function loadRootKey(source: RootKeySource): RootKey {
  const { value } = source;
  return deriveRootKey(value === undefined ? readOrMakeFile(source) : parseKey(value, 'SVC_ROOT_KEY'));
}

/** The first start leaves a digest in the database; a start with another key is refused. */
export async function checkRootKey(rootKey: RootKey, storage: Storage): Promise<void> {
  const digest = rootKey.digest('root key check', '');
  if ((await storage.settings.keepFirst('root_key_check', digest)) === digest) return;
  throw new ServiceError(
    'invalid_request',
    'The root key is not the one that this database was made with; set SVC_ROOT_KEY to that key, or put its key file back.',
  );
}

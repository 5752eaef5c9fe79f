import type { Random } from '../random.js';
import { createAwsRootKey } from './aws-root-key.js';
import { createGoogleRootKey } from './google-root-key.js';
import { createLocalRootKey, parseRootKey } from './local-root-key.js';
import type { RootKey } from './root-key.js';
import { openRootKeyFile, type RootKeyFile } from './root-key-file.js';
import { createRootKeys, type RootKeys } from './root-keys.js';

export interface RootKeySource {
  /** SVC_ROOT_KEY: a key, or `file:`, `aws-kms:` or `gcp-kms:` with the name of a key. */
  readonly value: string | undefined;
  /** SVC_PREVIOUS_ROOT_KEYS: keys that only unwrap. */
  readonly previous: readonly string[];
  /** Key file for a service without SVC_ROOT_KEY. It is made with mode 0600 when it does not exist. */
  readonly file: string;
  /** False for a start that must not make a missing key file. */
  readonly make?: boolean;
  readonly random: Random;
}

interface KeySetting {
  readonly text: string;
  /** Name of the setting. */
  readonly from: string;
  readonly random: Random;
}

const FILE = 'file:';
const AWS = 'aws-kms:';
const GOOGLE = 'gcp-kms:';

async function loadKey({ text, from, random }: KeySetting): Promise<readonly RootKey[]> {
  if (text.startsWith(FILE)) {
    return openRootKeyFile({ file: text.slice(FILE.length), make: false, random }).keys();
  }
  if (text.startsWith(AWS)) return [await createAwsRootKey(text.slice(AWS.length), from)];
  if (text.startsWith(GOOGLE)) return [await createGoogleRootKey(text.slice(GOOGLE.length), { from })];
  return [createLocalRootKey(parseRootKey(text, from))];
}

function keyFileOf({ value, file, make = true, random }: RootKeySource): RootKeyFile | undefined {
  if (value === undefined) return openRootKeyFile({ file, make, random });
  if (value.startsWith(FILE)) return openRootKeyFile({ file: value.slice(FILE.length), make: false, random });
  return undefined;
}

export type RootKeyKind = 'file' | 'environment' | 'aws_kms' | 'gcp_kms';

/** Kind of the root key, by the value of SVC_ROOT_KEY. */
export function kindOfRootKey(value: string | undefined): RootKeyKind {
  if (value === undefined || value.startsWith(FILE)) return 'file';
  if (value.startsWith(AWS)) return 'aws_kms';
  return value.startsWith(GOOGLE) ? 'gcp_kms' : 'environment';
}

/** Throws an error whose message says what to do when there is no usable key. */
export async function loadRootKeys(source: RootKeySource): Promise<RootKeys> {
  const { value, random } = source;
  const keyFile = keyFileOf(source);
  const previous: RootKey[] = [];
  for (const text of source.previous) {
    previous.push(...(await loadKey({ text, from: 'SVC_PREVIOUS_ROOT_KEYS', random })));
  }
  const configured = keyFile ? [] : await loadKey({ text: value ?? '', from: 'SVC_ROOT_KEY', random });
  const rootKeys = createRootKeys(() => [...(keyFile?.keys() ?? configured), ...previous]);
  return { ...rootKeys, keyFile };
}

import type { Random } from '../random.js';
import { createAwsRootKey } from './aws-root-key.js';
import { createGoogleRootKey } from './google-root-key.js';
import { createLocalRootKey, parseRootKey } from './local-root-key.js';
import type { RootKey } from './root-key.js';
import { openRootKeyFile, type RootKeyFile } from './root-key-file.js';
import { createRootKeys, type RootKeys } from './root-keys.js';

export interface RootKeySource {
  /** SVC_ROOT_KEY: a key, `file:`, `aws-kms:` or `gcp-kms:` with the name of one. */
  readonly value: string | undefined;
  /** SVC_PREVIOUS_ROOT_KEYS: they only unwrap. */
  readonly previous: readonly string[];
  /** Used when there is no value; made with mode 0600 when it does not exist. */
  readonly file: string;
  /** Whether a key file that does not exist is made; `true` by default. */
  readonly make?: boolean;
  readonly random: Random;
}

interface Named {
  readonly text: string;
  /** The setting that it stands in. */
  readonly from: string;
  readonly random: Random;
}

const FILE = 'file:';
const AWS = 'aws-kms:';
const GOOGLE = 'gcp-kms:';

async function loadKey({ text, from, random }: Named): Promise<readonly RootKey[]> {
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

/** Where the root key is, by the setting that names it. */
export function kindOfRootKey(value: string | undefined): RootKeyKind {
  if (value === undefined || value.startsWith(FILE)) return 'file';
  if (value.startsWith(AWS)) return 'aws_kms';
  return value.startsWith(GOOGLE) ? 'gcp_kms' : 'environment';
}

/** Throws one sentence that says what to do when there is no usable key. */
export async function loadRootKeys(source: RootKeySource): Promise<RootKeys> {
  const { value, random } = source;
  const keyFile = keyFileOf(source);
  const previous: RootKey[] = [];
  for (const text of source.previous) {
    previous.push(...(await loadKey({ text, from: 'SVC_PREVIOUS_ROOT_KEYS', random })));
  }
  const given = keyFile ? [] : await loadKey({ text: value ?? '', from: 'SVC_ROOT_KEY', random });
  const rootKeys = createRootKeys(() => [...(keyFile?.keys() ?? given), ...previous]);
  return { ...rootKeys, keyFile };
}

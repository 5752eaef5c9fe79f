import type { Random } from '../text/random.js';
import { createAwsRootKey } from './aws-root-key.js';
import { createGoogleRootKey } from './google-root-key.js';
import { createLocalRootKey, parseRootKey } from './local-root-key.js';
import type { RootKey } from './root-key.js';
import { openRootKeyFile, type RootKeyFile } from './root-key-file.js';
import { createRootKeys, type RootKeys } from './root-keys.js';

export interface RootKeySource {
  /** Value of SVC_ROOT_KEY: a key, or `file:`, `aws-kms:` or `gcp-kms:` followed by the name of a key. */
  readonly value: string | undefined;
  /** Value of SVC_PREVIOUS_ROOT_KEYS: keys that are only used to decrypt. */
  readonly previous: readonly string[];
  /** Path of the key file that is used without SVC_ROOT_KEY. If missing, it is created with mode 0600. */
  readonly file: string;
  /** If false, a missing key file is an error. Default: true, which creates the file. */
  readonly make?: boolean;
  readonly random: Random;
}

interface KeySetting {
  readonly text: string;
  /** Name of the setting that contains the key, for error messages. */
  readonly from: string;
  /**
   * Sentence that says what to do if the text is not a root key. Default: the form of a root key, and how to get one.
   */
  readonly advice?: string;
  readonly random: Random;
}

const FILE = 'file:';
const AWS = 'aws-kms:';
const GOOGLE = 'gcp-kms:';

async function loadKey({ text, from, advice, random }: KeySetting): Promise<readonly RootKey[]> {
  if (text.startsWith(FILE)) {
    return openRootKeyFile({ file: text.slice(FILE.length), make: false, random }).keys();
  }
  if (text.startsWith(AWS)) return [await createAwsRootKey(text.slice(AWS.length), from)];
  if (text.startsWith(GOOGLE)) return [await createGoogleRootKey(text.slice(GOOGLE.length), { from })];
  return [createLocalRootKey(parseRootKey(text, from, advice))];
}

function keyFileOf({ value, file, make = true, random }: RootKeySource): RootKeyFile | undefined {
  if (value === undefined) return openRootKeyFile({ file, make, random });
  if (value.startsWith(FILE)) return openRootKeyFile({ file: value.slice(FILE.length), make: false, random });
  return undefined;
}

export type RootKeyKind = 'file' | 'environment' | 'aws_kms' | 'gcp_kms';

/** Returns the kind of root key that the value of SVC_ROOT_KEY selects. */
export function kindOfRootKey(value: string | undefined): RootKeyKind {
  if (value === undefined || value.startsWith(FILE)) return 'file';
  if (value.startsWith(AWS)) return 'aws_kms';
  return value.startsWith(GOOGLE) ? 'gcp_kms' : 'environment';
}

/** Loads the root keys from the settings or the key file. Throws an error with instructions if no usable key exists. */
export async function loadRootKeys(source: RootKeySource): Promise<RootKeys> {
  const { value, random } = source;
  const keyFile = keyFileOf(source);
  const previous: RootKey[] = [];
  for (const [index, text] of source.previous.entries()) {
    const from = `Entry ${index + 1} of SVC_PREVIOUS_ROOT_KEYS`;
    const advice = 'Set this entry to an earlier value of SVC_ROOT_KEY, or remove the entry.';
    previous.push(...(await loadKey({ text, from, advice, random })));
  }
  const configured = keyFile ? [] : await loadKey({ text: value ?? '', from: 'SVC_ROOT_KEY', random });
  const rootKeys = createRootKeys(() => [...(keyFile?.keys() ?? configured), ...previous]);
  return { ...rootKeys, keyFile };
}

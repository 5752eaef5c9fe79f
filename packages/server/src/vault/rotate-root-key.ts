import type { Commit } from '../records/commit.js';
import type { DataKeyRow } from '../storage/schema.js';
import type { Storage, Tables } from '../storage/storage.js';
import { parseCiphertext } from './ciphertext.js';
import { dataKeyLocation } from './data-keys.js';
import { PEPPER, pepperLocation } from './pepper.js';
import type { RootKeys } from './root-keys.js';

export interface RotateOptions {
  /** If true and the root keys are in a file, adds a new root key to the file before the rotation. */
  readonly makeKey: boolean;
  /** Called with the number of keys that were re-encrypted or checked since the last call. */
  readonly onProgress?: (keys: number) => void;
}

export interface RotatedRootKey {
  readonly current: string;
  /** Number of keys that were re-encrypted: data keys, and the pepper (the HMAC key of all digests). */
  readonly rewrapped: number;
  /** Ids of root keys that encrypt no key any more, and that were removed from the key file. */
  readonly removed: readonly string[];
}

const AT_ONCE = 100;

const rootKeyOf = (wrapped: string): string => parseCiphertext(wrapped)?.keyId ?? '';

async function forEachDataKey<T>(
  { dataKeys }: Pick<Tables, 'dataKeys'>,
  use: (row: DataKeyRow) => Promise<T> | T,
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await dataKeys.listAll(after, AT_ONCE);
    const last = rows.at(-1);
    if (!last) return;
    for (const row of rows) await use(row);
    after = last.id;
  }
}

/** Counts the data keys and the pepper that each root key encrypted, by the id of the root key. */
export async function countWrapped(
  tables: Pick<Tables, 'dataKeys' | 'settings'>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const count = (wrapped: string) =>
    counts.set(rootKeyOf(wrapped), (counts.get(rootKeyOf(wrapped)) ?? 0) + 1);
  const pepper = await tables.settings.find(PEPPER);
  if (pepper !== undefined) count(pepper);
  await forEachDataKey(tables, ({ wrappedKey }) => count(wrappedKey));
  return counts;
}

export interface RotateRootKeyOptions {
  readonly storage: Pick<Storage, 'dataKeys' | 'settings'>;
  readonly rootKeys: RootKeys;
  readonly commit: Commit;
}

export function createRotateRootKey({ storage, rootKeys, commit }: RotateRootKeyOptions) {
  const { keyFile } = rootKeys;

  // Adds a root key to the key file. Locks the row of the pepper, so that no other process changes the file or stores a
  // data key under an older root key.
  const addKey = () =>
    commit(async (tables) => {
      await tables.settings.lock(PEPPER);
      keyFile?.add();
    });

  async function rewrapDataKey(row: DataKeyRow): Promise<boolean> {
    if (rootKeys.isCurrent(row.wrappedKey)) return false;
    const location = dataKeyLocation(row);
    const plain = await rootKeys.unwrap(location, row.wrappedKey);
    return storage.dataKeys.rewrap(row, await rootKeys.wrap(location, plain));
  }

  async function rewrapPepper(): Promise<boolean> {
    const wrapped = await storage.settings.find(PEPPER);
    if (wrapped === undefined || rootKeys.isCurrent(wrapped)) return false;
    const to = await rootKeys.wrap(pepperLocation, await rootKeys.unwrap(pepperLocation, wrapped));
    return commit(async (tables, audit) => {
      if (!(await tables.settings.replace(PEPPER, { from: wrapped, to }))) return false;
      audit({ action: 'root_key.rotated', applicationId: null, object: rootKeyOf(to) });
      return true;
    });
  }

  const removeUnused = () =>
    commit(async (tables) => {
      await tables.settings.lock(PEPPER);
      return keyFile?.deleteExcept(new Set((await countWrapped(tables)).keys())) ?? [];
    });

  /**
   * Re-encrypts the pepper and all data keys with the current root key. Stored secrets and digests do not change (rule
   * K4 in security-rules.md).
   */
  async function rotateRootKey({ makeKey, onProgress }: RotateOptions): Promise<RotatedRootKey> {
    if (makeKey) await addKey();
    let rewrapped = 0;
    const count = (isRewrapped: boolean) => {
      if (isRewrapped) rewrapped += 1;
      onProgress?.(1);
    };
    await forEachDataKey(storage, async (row) => count(await rewrapDataKey(row)));
    // The pepper (the HMAC key of all digests) is re-encrypted last, because its audit event means that the rotation is
    // complete.
    count(await rewrapPepper());
    return { current: rootKeys.ids()[0] ?? '', rewrapped, removed: await removeUnused() };
  }
  return rotateRootKey;
}

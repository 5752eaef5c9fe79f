import type { Commit } from '../records/commit.js';
import type { DataKeyRow } from '../storage/schema.js';
import type { Storage, Tables } from '../storage/storage.js';
import { dataKeyPlace } from './data-keys.js';
import { PEPPER, pepperPlace } from './pepper.js';
import { readText } from './place.js';
import type { RootKeys } from './root-keys.js';

export interface RotateRootKeyParts {
  readonly storage: Pick<Storage, 'dataKeys' | 'settings'>;
  readonly rootKeys: RootKeys;
  readonly commit: Commit;
}

export interface RotateOptions {
  /** Whether to make a new key, where keys stand in a file. */
  readonly makeKey: boolean;
  /** So many keys were wrapped again. */
  readonly told?: (keys: number) => void;
}

export interface RotatedRootKey {
  readonly current: string;
  /** How many keys were wrapped again. */
  readonly rewrapped: number;
  /** Root keys that nothing needs any more, and that were removed from the key file. */
  readonly removed: readonly string[];
}

/** Wraps the pepper and every data key by the current root key. Neither secrets nor digests change (rule K4). */
export type RotateRootKey = (options: RotateOptions) => Promise<RotatedRootKey>;

const AT_ONCE = 100;

const rootKeyOf = (wrapped: string): string => readText(wrapped)?.keyId ?? '';

async function pagesOf<T>(tables: Pick<Tables, 'dataKeys'>, use: (row: DataKeyRow) => Promise<T> | T) {
  for (let after = ''; ; ) {
    const rows = await tables.dataKeys.listAll(after, AT_ONCE);
    const last = rows.at(-1);
    if (!last) return;
    for (const row of rows) await use(row);
    after = last.id;
  }
}

/** How many keys each root key wraps, by its id. */
export async function countWrapped(
  tables: Pick<Tables, 'dataKeys' | 'settings'>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const note = (wrapped: string) => counts.set(rootKeyOf(wrapped), (counts.get(rootKeyOf(wrapped)) ?? 0) + 1);
  const pepper = await tables.settings.find(PEPPER);
  if (pepper !== undefined) note(pepper);
  await pagesOf(tables, ({ wrappedKey }) => note(wrappedKey));
  return counts;
}

export function createRotateRootKey({ storage, rootKeys, commit }: RotateRootKeyParts): RotateRootKey {
  const { keyFile } = rootKeys;

  // While this row is held nobody else changes the file, and nobody stores a key that was wrapped before.
  const addKey = () =>
    commit(async (tables) => {
      await tables.settings.lock(PEPPER);
      keyFile?.add();
    });

  async function rewrapDataKey(row: DataKeyRow): Promise<boolean> {
    if (rootKeys.isCurrent(row.wrappedKey)) return false;
    const place = dataKeyPlace(row);
    const plain = await rootKeys.unwrap(place, row.wrappedKey);
    return storage.dataKeys.rewrap(row, await rootKeys.wrap(place, plain));
  }

  async function rewrapPepper(): Promise<boolean> {
    const wrapped = await storage.settings.find(PEPPER);
    if (wrapped === undefined || rootKeys.isCurrent(wrapped)) return false;
    const to = await rootKeys.wrap(pepperPlace, await rootKeys.unwrap(pepperPlace, wrapped));
    return commit(async (tables, tell) => {
      if (!(await tables.settings.replace(PEPPER, { from: wrapped, to }))) return false;
      tell({ action: 'root_key.rotated', applicationId: null, object: rootKeyOf(to) });
      return true;
    });
  }

  const removeUnused = () =>
    commit(async (tables) => {
      await tables.settings.lock(PEPPER);
      return keyFile?.keepOnly(new Set((await countWrapped(tables)).keys())) ?? [];
    });

  return async ({ makeKey, told = () => undefined }) => {
    if (makeKey) await addKey();
    let rewrapped = 0;
    const note = (done: boolean) => {
      if (done) rewrapped += 1;
      told(1);
    };
    await pagesOf(storage, async (row) => note(await rewrapDataKey(row)));
    // The pepper last: it tells that the rotation is complete.
    note(await rewrapPepper());
    return { current: rootKeys.ids()[0] ?? '', rewrapped, removed: await removeUnused() };
  };
}

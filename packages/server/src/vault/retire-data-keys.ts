import type { Commit } from '../records/commit.js';
import type { DataKeyRow } from '../storage/schema.js';
import { SEALED_COLUMNS } from '../storage/sealed-columns.js';
import type { Storage, Tables } from '../storage/storage.js';
import { ciphertextPrefix } from './ciphertext.js';

// Time in milliseconds that a data key must be unused before its deletion. The time is longer than instances cache the
// key, and longer than ciphertexts stay in memory or in spool files.
export const UNUSED_FOR_MS = 3_600_000;

const COUNTED_AT_ONCE = 2000;

/**
 * Counts the stored values that a data key encrypted. The count runs in slices, so that other queries can run in
 * between.
 */
export async function countUses(
  { sealedValues }: Pick<Tables, 'sealedValues'>,
  { applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>,
): Promise<number> {
  let uses = 0;
  for (const sealed of SEALED_COLUMNS) {
    const search = { applicationId, sealed, containing: ciphertextPrefix(id) };
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { items, last } = await sealedValues.countSome(search, { after, most: COUNTED_AT_ONCE });
      uses += items;
      after = last;
    }
  }
  return uses;
}

export interface RetireDataKeysOptions {
  readonly storage: Pick<Storage, 'dataKeys' | 'sealedValues'>;
  readonly commit: Commit;
  readonly now: () => number;
}

export function createRetireDataKeys({ storage, commit, now }: RetireDataKeysOptions) {
  async function updateUse(key: DataKeyRow): Promise<'in use' | 'unused' | 'unused for long'> {
    const isUsed = (await countUses(storage, key)) > 0;
    const unusedSince = isUsed ? null : (key.unusedSince ?? now());
    if (unusedSince !== key.unusedSince) await storage.dataKeys.setUnusedSince(key, unusedSince);
    if (unusedSince === null) return 'in use';
    return now() - unusedSince >= UNUSED_FOR_MS ? 'unused for long' : 'unused';
  }

  const remove = (key: DataKeyRow): Promise<boolean> =>
    commit(async (tables, audit) => {
      const { applicationId, id } = key;
      // Starts the transaction with a write, because SQLite then blocks all other writers until the transaction ends.
      // Otherwise, a value could be encrypted with this data key after the count below.
      await tables.dataKeys.setUnusedSince(key, key.unusedSince);
      if ((await countUses(tables, key)) > 0 || !(await tables.dataKeys.delete(key))) return false;
      audit({ action: 'data_key.deleted', applicationId, object: id });
      return true;
    });

  /**
   * Deletes the application's older data keys that have been unused for an hour. Returns the ids of the deleted keys.
   */
  async function retireDataKeys(applicationId: string): Promise<readonly string[]> {
    const removed: string[] = [];
    for (const key of (await storage.dataKeys.list(applicationId)).slice(0, -1)) {
      if ((await updateUse(key)) === 'unused for long' && (await remove(key))) removed.push(key.id);
    }
    return removed;
  }
  return retireDataKeys;
}

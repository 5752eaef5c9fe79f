import type { Commit } from '../records/commit.js';
import type { DataKeyRow } from '../storage/schema.js';
import { SEALED_COLUMNS } from '../storage/sealed-columns.js';
import type { Storage, Tables } from '../storage/storage.js';
import { ciphertextPrefix } from './ciphertext.js';

// Longer than an instance encrypts with a cached key, or keeps a ciphertext in memory. New tokens in a file wait shorter, too.
export const UNUSED_FOR_MS = 3_600_000;

const COUNTED_AT_ONCE = 2000;

/** Counts the stored values that the key encrypted, in slices, so that other queries run in between. */
export async function countUses(
  { sealedValues }: Pick<Tables, 'sealedValues'>,
  { applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>,
): Promise<number> {
  let uses = 0;
  for (const sealed of SEALED_COLUMNS) {
    const search = { applicationId, sealed, containing: ciphertextPrefix(id) };
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { found, last } = await sealedValues.countSome(search, { after, most: COUNTED_AT_ONCE });
      uses += found;
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
    commit(async (tables, recordEvent) => {
      const { applicationId, id } = key;
      // A write first: on SQLite no other transaction writes from here on.
      await tables.dataKeys.setUnusedSince(key, key.unusedSince);
      if ((await countUses(tables, key)) > 0 || !(await tables.dataKeys.delete(key))) return false;
      recordEvent({ action: 'data_key.deleted', applicationId, object: id });
      return true;
    });

  /** Deletes the keys of an application that a newer key replaced long enough ago. Returns their ids. */
  async function retireDataKeys(applicationId: string): Promise<readonly string[]> {
    const removed: string[] = [];
    for (const key of (await storage.dataKeys.list(applicationId)).slice(0, -1)) {
      if ((await updateUse(key)) === 'unused for long' && (await remove(key))) removed.push(key.id);
    }
    return removed;
  }
  return retireDataKeys;
}

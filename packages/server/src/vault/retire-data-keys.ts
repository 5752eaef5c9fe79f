import type { Commit } from '../records/commit.js';
import type { DataKeyRow } from '../storage/schema.js';
import { SEALED_COLUMNS } from '../storage/sealed-columns.js';
import type { Storage, Tables } from '../storage/storage.js';
import { markOf } from './place.js';

export interface RetireDataKeysParts {
  readonly storage: Pick<Storage, 'dataKeys' | 'sealedValues'>;
  readonly commit: Commit;
  readonly now: () => number;
}

/** Deletes the keys of an application that a newer one has replaced for long enough; gives their ids. */
export type RetireDataKeys = (applicationId: string) => Promise<readonly string[]>;

// Longer than an instance encrypts with a key that it has read, holds what it has encrypted, or keeps new tokens in a
// file because the database is down.
export const UNUSED_FOR_MS = 3_600_000;

const COUNTED_AT_ONCE = 2000;

/** How many values the key encrypted that are still there: in slices, between which others have their turn. */
export async function countUses(
  { sealedValues }: Pick<Tables, 'sealedValues'>,
  { applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>,
): Promise<number> {
  let uses = 0;
  for (const sealed of SEALED_COLUMNS) {
    const search = { applicationId, sealed, containing: markOf(id) };
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { found, last } = await sealedValues.countSome(search, { after, most: COUNTED_AT_ONCE });
      uses += found;
      after = last;
    }
  }
  return uses;
}

export function createRetireDataKeys({ storage, commit, now }: RetireDataKeysParts): RetireDataKeys {
  async function note(key: DataKeyRow): Promise<'in use' | 'unused' | 'unused for long'> {
    const isUsed = (await countUses(storage, key)) > 0;
    const unusedSince = isUsed ? null : (key.unusedSince ?? now());
    if (unusedSince !== key.unusedSince) await storage.dataKeys.setUnusedSince(key, unusedSince);
    if (unusedSince === null) return 'in use';
    return now() - unusedSince >= UNUSED_FOR_MS ? 'unused for long' : 'unused';
  }

  const remove = (key: DataKeyRow): Promise<boolean> =>
    commit(async (tables, tell) => {
      const { applicationId, id } = key;
      // A write first: on SQLite nobody else writes from here on.
      await tables.dataKeys.setUnusedSince(key, key.unusedSince);
      if ((await countUses(tables, key)) > 0 || !(await tables.dataKeys.delete(key))) return false;
      tell({ action: 'data_key.deleted', applicationId, object: id });
      return true;
    });

  return async (applicationId) => {
    const removed: string[] = [];
    for (const key of (await storage.dataKeys.list(applicationId)).slice(0, -1)) {
      if ((await note(key)) === 'unused for long' && (await remove(key))) removed.push(key.id);
    }
    return removed;
  };
}

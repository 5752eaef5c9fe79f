import { checkIfMatch } from '../records/check-if-match.js';
import type { Tables } from '../storage/storage.js';
import type { WatchKey, WatchOf } from '../storage/watches-table.js';
import { etagOfWatch } from './watch.js';

/**
 * Locks a watch until the transaction ends, and returns it. Returns `undefined` if it does not exist. Throws `conflict`
 * if `ifMatch` is not the ETag of the watch.
 */
export async function lockWatch(
  tables: Tables,
  { applicationId, id }: WatchKey,
  ifMatch: string | undefined,
): Promise<WatchOf | undefined> {
  await tables.watches.lock({ applicationId, id });
  const row = await tables.watches.find(applicationId, id);
  if (ifMatch === undefined) return row;
  await checkIfMatch(tables, {
    ifMatch,
    etag: row && etagOfWatch(row),
    applicationId,
    object: id,
    action: 'watch.changed',
    called: `The watch "${id}"`,
  });
  return row;
}

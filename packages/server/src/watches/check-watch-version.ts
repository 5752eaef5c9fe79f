import { checkIfMatch } from '../records/check-if-match.js';
import type { Tables } from '../storage/storage.js';
import type { WatchKey } from '../storage/watches-table.js';
import { etagOfWatch } from './watch.js';

/**
 * Throws `conflict` if `ifMatch` is not the ETag of the stored watch. Locks the watch's row until the transaction ends.
 */
export async function checkWatchVersion(
  tables: Tables,
  { applicationId, id }: WatchKey,
  ifMatch: string | undefined,
): Promise<void> {
  if (ifMatch === undefined) return;
  await tables.watches.lock({ applicationId, id });
  const row = await tables.watches.find(applicationId, id);
  await checkIfMatch(tables, {
    ifMatch,
    etag: row && etagOfWatch(row),
    applicationId,
    object: id,
    action: 'watch.changed',
    called: `The watch "${id}"`,
  });
}

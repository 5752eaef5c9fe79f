import type { EveryQuery } from './every-query.js';
import { APP, WATCH, WATCH_ITEM } from './sample-rows.js';

/** Sample calls of every query on the tables of watches. */
export const WATCH_QUERIES: Pick<EveryQuery, 'watches' | 'watchItems'> = {
  watches: {
    insert: (table) => table.insert(WATCH),
    find: (table) => table.find(APP, WATCH.id),
    findByKey: (table) => table.findByKey(APP, WATCH.watchKey),
    list: async (table) => {
      await table.list(APP, { limit: 10 });
      await table.list(APP, { accountId: WATCH.accountId, before: WATCH, limit: 10 });
    },
    count: (table) => table.count(APP, WATCH.accountId),
    listFailed: async (table) => {
      await table.listFailed({ applicationId: APP, limit: 10 });
      await table.listFailed({ applicationId: undefined, limit: 10 });
    },
    countStates: (table) => table.countStates(10),
    lock: (table) => table.lock(WATCH),
    change: (table) => table.change(WATCH, { every: 60 }),
    changeClaimed: (table) => table.changeClaimed({ ...WATCH, claim: 'x' }, { nextAt: 2 }),
    delete: (table) => table.delete({ ...WATCH, id: 'watch_2' }),
    dueApplications: (table) => table.dueApplications({ now: 1, after: '', limit: 10 }),
    claim: (table) => table.claim(APP, { now: 1, until: 2, claim: 'c', most: 4 }),
    releaseClaims: (table) => table.releaseClaims(1),
  },
  watchItems: {
    put: (table) => table.put([WATCH_ITEM]),
    find: (table) => table.find(WATCH_ITEM, [WATCH_ITEM.itemKey]),
    count: async (table) => {
      await table.count(WATCH_ITEM);
      await table.count(WATCH_ITEM, { since: 1 });
      await table.count(WATCH_ITEM, { walk: 1 });
    },
    delete: (table) => table.delete(WATCH_ITEM, ['other']),
    listMissing: (table) => table.listMissing(WATCH_ITEM, { walk: 2, most: 10 }),
    deleteBefore: (table) => table.deleteBefore(WATCH_ITEM, 1),
    deleteSome: (table) => table.deleteSome({ ...WATCH_ITEM, watchId: 'watch_2' }, 10),
  },
};

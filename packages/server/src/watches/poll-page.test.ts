import { expect, test, vi } from 'vitest';
import { WATCH, WATCH_ITEM } from '../../test/support/databases/sample-rows.js';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { createPollPage } from './poll-page.js';
import type { StoredPage } from './store-page.js';

const VERSION = { version: 'v1', versionDigest: 'd1' };
const NEW_ITEM = { id: 'new', key: 'new', ...VERSION, createdAt: undefined, isDeleted: false, data: {} };
const CHANGED_AT = 1000;
const SYNCED = { watch: { id: 'id', syncToken: { input: 'token', output: 'next' } }, items: 'pages' };
const LIST = { watch: { id: 'id', time: 'edited', newestFirst: { overlap: 0 } }, items: 'pages' };

/** Creates a function that polls a page with one new item. The watch has already stored the maximum number of items. */
async function createFull() {
  const { applicationId, connect, storage, vault } = await createTenant();
  const { id: accountId } = await connect('ada');
  const row = { ...WATCH, applicationId, accountId, identifier: 'ada', account: '', connectionName: 'mail' };
  await storage.watches.insert({ ...WATCH, applicationId, accountId });
  await storage.watchItems.put(
    Array.from({ length: 50_000 }, (_, index) => ({
      ...WATCH_ITEM,
      applicationId,
      itemKey: `k${index}`,
      at: CHANGED_AT,
    })),
  );
  const stored = vi.fn<(page: StoredPage) => void>();
  const pollPage = createPollPage({
    storage,
    vault,
    readPage: async () => ({
      items: [{ ...NEW_ITEM, at: CHANGED_AT + 1 }],
      next: undefined,
      token: undefined,
      hasFailed: false,
    }),
    storePage: async (_, page) => {
      stored(page);
      return true;
    },
    now: () => 2000,
    jitter: () => 0.5,
  });
  const poll = async (since: number, list: object = LIST) => {
    await pollPage(
      {
        row,
        list: { ...list, version: undefined, input: {} } as never,
        cursor: { since },
        walk: 1,
        rules: [],
      },
      new AbortController().signal,
    );
    return stored.mock.lastCall?.[0];
  };
  return { poll };
}

test('F5: a watch remembers at most 50,000 items, and forgets only those from before its position', async () => {
  const { poll } = await createFull();
  await expect(poll(0)).rejects.toMatchObject({
    code: 'conflict',
    details: { reason: 'too_many_items' },
  });
  const page = await poll(CHANGED_AT + 1);
  expect(page).toMatchObject({ put: [{ id: 'new' }], forgetBefore: CHANGED_AT + 1 });
});

test('items of an earlier reading do not count while a watch reads the complete list again', async () => {
  const { poll } = await createFull();
  expect(await poll(0, SYNCED)).toMatchObject({ put: [{ id: 'new' }], walk: 2 });
});

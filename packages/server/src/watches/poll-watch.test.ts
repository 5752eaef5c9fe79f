import { expect, test } from 'vitest';
import { WATCH } from '../../test/support/databases/sample-rows.js';
import { createCallers } from '../caller.js';
import { ServiceError } from '../errors.js';
import type { WatchChange } from '../storage/watches-table.js';
import { createPollWatch } from './poll-watch.js';
import type { WatchCursor } from './watch-cursor.js';

const CURSOR: WatchCursor = {
  since: 1,
  refused: 4,
  walk: { next: { page_token: 'old' }, startedAt: 1, pages: 1, hasFound: false, repeats: 0 },
};

/**
 * Polls a watch after four polls that the upstream refused. Returns the stored change of the watch and the reported
 * faults.
 */
async function pollWith(error: Error, failures = 0) {
  const changes: WatchChange[] = [];
  const faults: unknown[] = [];
  const applications: unknown[] = [];
  const callers = createCallers();
  const row = {
    ...WATCH,
    failures,
    claim: 'c',
    identifier: 'ada',
    account: null,
    connectionName: 'calendar',
  };
  const tables = {
    watches: { changeClaimed: async (_: unknown, change: WatchChange) => changes.push(change) },
  };
  const pollWatch = createPollWatch({
    storage: {
      transaction: (work: (each: typeof tables) => unknown) => work(tables),
      watches: { find: async () => row },
    } as never,
    vault: { seal: async (_, text) => text.reveal() },
    preparePoll: {
      isAuthorized: async () => true,
      prepare: async () => ({ row, list: { watch: {} }, cursor: CURSOR, walk: 1, rules: [] }),
    } as never,
    pollPage: () => {
      applications.push(callers.current().applicationId);
      return Promise.reject(error);
    },
    serviceEvents: { insert: async () => undefined, notify: () => undefined } as never,
    callers,
    now: () => 1000,
    jitter: () => 0,
    onError: (fault) => faults.push(fault),
  });
  await pollWatch(row, new AbortController().signal);
  expect(applications).toEqual([WATCH.applicationId]);
  return { change: changes[0], faults };
}

test('a watch that failed by refusals begins with the first page and no refusal when it is enabled again', async () => {
  const { change } = await pollWith(new ServiceError('upstream_failed', 'Refused.', { status: 404 }));
  expect(change).toMatchObject({ state: 'failed', reason: 'call_rejected', nextAt: null });
  expect(JSON.parse(change?.cursor ?? '')).toEqual({ since: 1 });
});

test.each([new TypeError('a fault'), new ServiceError('internal_error', 'The text cannot be decrypted.')])(
  'an error that no poll should cause is reported, and the poll is repeated: %s',
  async (error) => {
    const { change, faults } = await pollWith(error);
    expect(faults).toEqual([error]);
    expect(change).toMatchObject({ failures: 1, nextAt: expect.any(Number) });
  },
);

test('an error of the upstream is no fault of the service, and the watch shows it', async () => {
  const { change, faults } = await pollWith(new ServiceError('upstream_failed', 'Failed.', { status: 500 }));
  expect(faults).toEqual([]);
  expect(change).toMatchObject({ failures: 1, reason: 'upstream_failed' });
});

test.each([
  {
    title: 'is polled again and shows the reason',
    failures: 3,
    stored: { failures: 4, reason: 'tool_removed', nextAt: expect.any(Number) },
  },
  { title: 'fails after five polls', failures: 4, stored: { state: 'failed', reason: 'tool_removed' } },
])('a watch whose tool this instance does not know $title', async ({ failures, stored }) => {
  const { change } = await pollWith(new ServiceError('tool_not_found', 'No.'), failures);
  expect(change).toMatchObject(stored);
});

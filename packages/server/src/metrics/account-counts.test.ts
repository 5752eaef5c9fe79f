import { expect, test, vi } from 'vitest';
import type { AccountPosition, AccountSlice } from '../storage/account-counts-table.js';
import { createAccountCounts } from './account-counts.js';

const END: AccountSlice = {
  counts: [{ connector: 'calendar', status: 'authorized', count: 2 }],
  last: undefined,
};
const LAST: AccountPosition = {
  applicationId: 'app_1',
  connectionId: 'conn_1',
  status: 'authorized',
  identifier: 'ada',
  id: 'acct_1',
};

function create(countSlice: (after: AccountPosition | undefined) => Promise<AccountSlice>) {
  const clock = { ms: 1000 };
  const slices = vi.fn(countSlice);
  const onError = vi.fn();
  const accountCounts = createAccountCounts({
    storage: { accountCounts: { countSlice: slices } as never },
    now: () => clock.ms,
    onError,
  });
  return { ...accountCounts, clock, slices, onError };
}

test('F5: accounts are counted in slices, which are summed', async () => {
  const { refresh, read, slices } = create(async (after) => (after ? END : { ...END, last: LAST }));
  await refresh();
  expect(read()).toEqual([{ connector: 'calendar', status: 'authorized', count: 4 }]);
  expect(slices.mock.calls.map(([after]) => after)).toEqual([undefined, LAST]);
});

test('concurrent scrapes share one count, and later ones use it for 15 seconds', async () => {
  const { refresh, clock, slices } = create(async () => END);
  await Promise.all([refresh(), refresh(), refresh()]);
  clock.ms += 14_999;
  await refresh();
  expect(slices).toHaveBeenCalledTimes(1);
  clock.ms += 1;
  await refresh();
  expect(slices).toHaveBeenCalledTimes(2);
});

test('a count that takes a second is repeated after 20 seconds', async () => {
  const counted = create(async () => {
    counted.clock.ms += 1000;
    return END;
  });
  await counted.refresh();
  counted.clock.ms += 19_999;
  await counted.refresh();
  expect(counted.slices).toHaveBeenCalledTimes(1);
  counted.clock.ms += 1;
  await counted.refresh();
  expect(counted.slices).toHaveBeenCalledTimes(2);
});

test('a failed count is reported and leaves no numbers, and the next scrape repeats it', async () => {
  let isDown = false;
  const { refresh, read, clock, onError } = create(async () => {
    if (isDown) throw new Error('down');
    return END;
  });
  await refresh();
  isDown = true;
  clock.ms += 15_000;
  await refresh();
  expect([read(), onError.mock.calls.length]).toEqual([[], 1]);
  isDown = false;
  await refresh();
  expect(read()).toEqual(END.counts);
});

test('a count that does not end delays a scrape by one second, and its old numbers are left out after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let isSlow = false;
    const { refresh, read, clock } = create(() =>
      isSlow ? new Promise(() => undefined) : Promise.resolve(END),
    );
    await refresh();
    isSlow = true;
    clock.ms += 15_000;
    const refreshed = refresh();
    await vi.advanceTimersByTimeAsync(1000);
    await refreshed;
    expect(read()).toEqual(END.counts);
    clock.ms += 60_000;
    expect(read()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

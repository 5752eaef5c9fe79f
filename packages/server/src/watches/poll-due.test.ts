import { expect, test } from 'vitest';
import { WATCH } from '../../test/support/databases/sample-rows.js';
import { createPollDue } from './poll-due.js';

/**
 * Creates `pollDue` with applications that always have more due watches. `end` ends the oldest running poll. `started`
 * lists the application id of each started poll.
 */
function create(applicationIds: readonly string[]) {
  const started: string[] = [];
  const running: (() => void)[] = [];
  const { pollDue } = createPollDue({
    storage: {
      watches: {
        dueApplications: async ({ after }: { readonly after: string }) =>
          applicationIds.filter((id) => id > after),
        claim: async (applicationId: string, { most }: { readonly most: number }) =>
          Array.from({ length: most }, (_, index) => ({ ...WATCH, applicationId, id: `watch_${index}` })),
      },
    } as never,
    pollWatch: ({ applicationId }) => {
      started.push(applicationId);
      return new Promise((resolve) => running.push(resolve));
    },
    now: () => 1,
    random: (bytes) => Buffer.alloc(bytes),
    onFree: () => undefined,
    onError: () => undefined,
  });
  async function end(): Promise<void> {
    running.shift()?.();
    await new Promise(setImmediate);
  }
  return { pollDue, end, started };
}

/** Calls `pollDue` twice. The polls never end. Returns the application id of each started poll. */
async function runWith(applicationIds: readonly string[]): Promise<readonly string[]> {
  const { pollDue, started } = create(applicationIds);
  await pollDue();
  await pollDue();
  return started;
}

const applications = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `app_${1000 + index}`);

test('an application with many due watches runs at most 8 polls at once', async () => {
  expect(await runWith(['a'])).toEqual(Array(8).fill('a'));
});

test('each of 20 applications with many due watches gets a poll', async () => {
  const many = applications(20);
  const running = await runWith(many);
  expect(running).toHaveLength(64);
  expect(new Set(running)).toEqual(new Set(many));
});

test('each of 200 applications with many due watches gets one poll after another', async () => {
  const many = applications(200);
  const { pollDue, end, started } = create(many);
  await pollDue();
  const first = started.length;
  for (let ended = 0; ended < 450; ended += 1) {
    await end();
    await pollDue();
    // Calls it once more, because the background loop also does so while no further poll is allowed.
    await pollDue();
  }
  const later = Map.groupBy(started.slice(first), (id) => id);
  const counts = many.map((id) => later.get(id)?.length ?? 0);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});

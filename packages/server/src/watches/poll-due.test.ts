import { expect, test } from 'vitest';
import { WATCH } from '../../test/support/sample-rows.js';
import { createPollDue } from './poll-due.js';

/**
 * Calls `pollDue` twice with applications that always have more due watches. The polls never end. Returns the
 * application id of each started poll.
 */
async function runWith(applicationIds: readonly string[]) {
  const running: string[] = [];
  const { pollDue } = createPollDue({
    storage: {
      watches: {
        dueApplications: async () => applicationIds,
        claim: async (applicationId: string, { most }: { readonly most: number }) =>
          Array.from({ length: most }, (_, index) => ({ ...WATCH, applicationId, id: `watch_${index}` })),
      },
    } as never,
    pollWatch: ({ applicationId }) => {
      running.push(applicationId);
      return new Promise(() => undefined);
    },
    now: () => 1,
    random: (bytes) => Buffer.alloc(bytes),
    onFree: () => undefined,
    onError: () => undefined,
  });
  await pollDue();
  await pollDue();
  return running;
}

test('an application with many due watches runs at most 8 polls at once', async () => {
  expect(await runWith(['a'])).toEqual(Array(8).fill('a'));
});

test('each of 20 applications with many due watches gets a poll', async () => {
  const many = Array.from({ length: 20 }, (_, index) => `app_${index}`);
  const running = await runWith(many);
  expect(running).toHaveLength(64);
  expect(new Set(running)).toEqual(new Set(many));
});

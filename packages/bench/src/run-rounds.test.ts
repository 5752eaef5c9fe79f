import { expect, test } from 'vitest';
import { runRounds } from './run-rounds.ts';
import type { LoadJob, LoadResult, Target } from './send-load.ts';

const TARGETS = new Map<string, Target>(
  Object.entries({
    one: { servers: [{ port: 1, requests: [] }] },
    two: { servers: [{ port: 2, requests: [] }] },
    fleet: {
      servers: [
        { port: 3, requests: [] },
        { port: 4, requests: [] },
      ],
    },
  }),
);

const RESULT: LoadResult = { perSecond: 1, cpuUs: 1, ownCpuUs: 1, statuses: [], p50Ms: 1, p99Ms: 1 };

interface SentLoad {
  readonly port: number | undefined;
  readonly ms: number;
}

/** Runs all rounds with a fake load generator. Its n-th job reports a CPU time of n µs. */
async function recordLoad() {
  const sent: SentLoad[] = [];
  const load = async ({ servers, ms }: LoadJob): Promise<LoadResult> => {
    sent.push({ port: servers[0]?.port, ms });
    return { ...RESULT, cpuUs: sent.length };
  };
  const medians = await runRounds({ load, isQuick: false }, { targets: TARGETS, connections: 32 });
  return { sent, medians };
}

const isWarmUp = (_: SentLoad, index: number): boolean => index % 2 === 0;
const isMeasured = (_: SentLoad, index: number): boolean => index % 2 === 1;

test('each measured round lasts at least 3 s', async () => {
  const { sent } = await recordLoad();
  for (const { ms } of sent.filter(isMeasured)) expect(ms).toBeGreaterThanOrEqual(3000);
});

test('each measured round follows a warm-up of the same target that lasts 1 s per process', async () => {
  const { sent } = await recordLoad();
  const measured = sent.filter(isMeasured);
  expect(measured.length).toBe(15);
  expect(sent.filter(isWarmUp)).toEqual(measured.map(({ port }) => ({ port, ms: port === 3 ? 2000 : 1000 })));
});

test('each round starts with a different target', async () => {
  const { sent } = await recordLoad();
  const ports = sent.filter(isMeasured).map(({ port }) => port);
  expect(ports).toEqual([1, 2, 3, 2, 3, 1, 3, 1, 2, 1, 2, 3, 2, 3, 1]);
});

test('the median and the range of a target include measured rounds and exclude warm-ups', async () => {
  const { medians } = await recordLoad();
  // Expects the figures of the load jobs 2, 12, 16, 20 and 30, because these are the measured rounds of the target
  // `one`.
  expect(medians.get('one')).toMatchObject({ cpuUs: 16, cpuUsRange: [2, 30] });
});

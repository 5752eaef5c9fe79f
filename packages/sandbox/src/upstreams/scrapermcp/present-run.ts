import { fullName } from './actor.js';
import type { Account, Run } from './runs.js';

const isOver = (status: string) => status !== 'RUNNING' && status !== 'ABORTING';

function times({ startedAt, seconds }: Run, over: boolean) {
  const finishedAt = startedAt + seconds * 1000;
  return {
    startedAt: new Date(startedAt).toISOString(),
    ...(over && { finishedAt: new Date(finishedAt).toISOString() }),
  };
}

function stats({ seconds, memory }: Run, over: boolean) {
  return over
    ? {
        runTimeSecs: seconds,
        computeUnits: (seconds * memory) / (3600 * 1024),
        memMaxBytes: memory * 1024 * 512,
      }
    : undefined;
}

export function newerRun(account: Account, run: Run) {
  const status = account.status(run);
  const over = isOver(status);
  const itemCount = account.items(run.datasetId)?.length ?? 0;
  return {
    runId: run.id,
    actorId: run.actor.id,
    actorName: fullName(run.actor),
    status,
    ...(over && run.statusMessage !== undefined && { statusMessage: run.statusMessage }),
    ...(over && { exitCode: run.outcome === 'SUCCEEDED' ? 0 : 1, stats: stats(run, over) }),
    ...times(run, over),
    apifyConsoleUrl: `https://console.apify.com/actors/runs/${run.id}`,
    storages: {
      datasets: { default: { id: run.datasetId, itemCount } },
      keyValueStores: { default: { id: run.keyValueStoreId } },
    },
    summary: `Run ${run.id} of ${fullName(run.actor)} is ${status} with ${itemCount} items.`,
    nextStep: over
      ? `Use get-dataset-items with datasetId "${run.datasetId}".`
      : `Use get-actor-run with runId "${run.id}" and waitSecs.`,
  };
}

export const costOf = ({ seconds }: Run) => ({
  'com.apify/ActorRun': {
    usageTotalUsd: seconds / 10_000,
    usageUsd: { ACTOR_COMPUTE_UNITS: seconds / 10_000 },
  },
});

const PREVIEWED = 5;

export function olderRun(account: Account, run: Run) {
  const status = account.status(run);
  const over = isOver(status);
  const items = account.items(run.datasetId) ?? [];
  const dataset = {
    datasetId: run.datasetId,
    itemCount: items.length,
    schema: { type: 'object' },
    previewItems: items.slice(0, PREVIEWED),
  };
  return {
    runId: run.id,
    actorName: fullName(run.actor),
    status,
    ...times(run, over),
    ...(over && { stats: stats(run, over), dataset }),
  };
}

const USER_AGENT = 'sandbox';

export function restListedRun(account: Account, run: Run) {
  const status = account.status(run);
  return {
    id: run.id,
    actId: run.actor.id,
    status,
    ...times(run, isOver(status)),
    meta: { origin: 'API', userAgent: USER_AGENT },
    buildId: `build-${run.actor.id}`,
    buildNumber: '1.0.1',
    defaultDatasetId: run.datasetId,
    defaultKeyValueStoreId: run.keyValueStoreId,
    defaultRequestQueueId: run.requestQueueId,
    usageTotalUsd: run.seconds / 10_000,
  };
}

export function restRun(account: Account, run: Run) {
  const { status, ...listed } = restListedRun(account, run);
  const over = isOver(status);
  return {
    ...listed,
    userId: `user-${run.actor.username}`,
    status,
    ...(run.statusMessage === undefined ? {} : { statusMessage: run.statusMessage }),
    ...(over && { exitCode: run.outcome === 'SUCCEEDED' ? 0 : 1 }),
    stats: restStats(run, over),
    options: { build: 'latest', timeoutSecs: 3600, memoryMbytes: run.memory, diskMbytes: run.memory * 2 },
    containerUrl: `https://${run.id}.runs.apify.net`,
  };
}

function restStats(run: Run, over: boolean) {
  const { runTimeSecs, computeUnits, memMaxBytes } = {
    ...{ runTimeSecs: 0, computeUnits: 0, memMaxBytes: 0 },
    ...stats(run, over),
  };
  return {
    inputBodyLen: JSON.stringify(run.input).length,
    ...{ restartCount: 0, resurrectCount: 0, metamorph: 0 },
    ...{ memAvgBytes: memMaxBytes / 2, memMaxBytes, memCurrentBytes: 0 },
    ...{ cpuAvgUsage: 0, cpuMaxUsage: 0, cpuCurrentUsage: 0, netRxBytes: 0, netTxBytes: 0 },
    ...{ durationMillis: runTimeSecs * 1000, runTimeSecs, computeUnits },
  };
}

import { randomBytes } from 'node:crypto';
import { startLoop } from '../concurrency/loop.js';
import type { Config } from '../config/config.js';
import { policyNeedsApproval } from '../connections/approval-policy.js';
import { ServiceError } from '../errors.js';
import type { WatchMetrics } from '../metrics/watch-metrics.js';
import type { Execute, RunWithApproval } from '../tools/execute.js';
import { cannotWatch } from '../watches/create-watch.js';
import { createPollDue } from '../watches/poll-due.js';
import { createPollPage } from '../watches/poll-page.js';
import { createPollWatch } from '../watches/poll-watch.js';
import { createPreparePoll } from '../watches/prepare-poll.js';
import { createReadPage } from '../watches/read-page.js';
import { createStorePage } from '../watches/store-page.js';
import type { Service } from './service.js';

/**
 * Refuses approvals for the tool calls of watches: throws `conflict` if a call needs an approval, because nobody can
 * approve a poll.
 */
export const refuseApprovals: RunWithApproval = async ({ account, tool }, run) => {
  if (!policyNeedsApproval(account, tool)) return run();
  throw cannotWatch(tool.name);
};

interface WatchingParts {
  readonly config: Pick<Config, 'databaseUrl'>;
  readonly execute: Execute;
  /** Counters of polls, and of the list items that polls found. Absent if metrics are off. */
  readonly metrics: WatchMetrics | undefined;
}

/**
 * Creates the function that counts a poll in the rate limit of its account. The application's own calls count in the
 * same limit.
 */
function createCountCall({ rateLimits }: Pick<Service, 'rateLimits'>) {
  return function countCall(accountId: string): void {
    const { isAllowed, seconds } = rateLimits.account.take(accountId);
    if (isAllowed) return;
    throw new ServiceError(
      'rate_limited',
      'Too many calls were made for the account. The watch polls again automatically.',
      {
        retryAfter: seconds,
      },
    );
  };
}

/** Creates the function that polls a watch for new and changed items. This instance has claimed the watch before. */
function createPoll(service: Service, { execute, metrics }: Pick<WatchingParts, 'execute' | 'metrics'>) {
  const { core, callers, catalog, now, serviceEvents, storage } = service.parts;
  const { vault } = core;
  const jitter = Math.random;
  const pollPage = createPollPage({
    storage,
    vault,
    readPage: createReadPage({ execute, countCall: createCountCall(service) }),
    storePage: createStorePage({
      storage,
      vault,
      serviceEvents,
      now,
      random: randomBytes,
      onItem: metrics?.countItem,
    }),
    now,
    jitter,
  });
  const preparePoll = createPreparePoll({ storage, catalog, vault });
  return createPollWatch({
    storage,
    vault,
    preparePoll,
    pollPage,
    serviceEvents,
    callers,
    now,
    jitter,
    onError: (error) => service.log.fault('a watch could not be polled; the service retries', error),
    onPoll: metrics?.countPoll,
  });
}

/** Starts the background loop that polls watched lists for new and changed items. */
export function startWatching(service: Service, { config, ...polling }: WatchingParts) {
  const { log, parts, watches } = service;
  const { now, storage } = parts;
  const onError = (error: unknown) =>
    log.fault('a watch could not be polled, because the database failed; the service retries', error);
  const { pollDue, close } = createPollDue({
    storage,
    pollWatch: createPoll(service, polling),
    now,
    random: randomBytes,
    onFree: () => loop.wake(),
    onError,
  });
  // Releases all stored claims of watches before the first poll, if the database is SQLite. Only one process can use
  // SQLite, so each claim belongs to a process that has ended.
  let begin = async (): Promise<void> => {
    if (config.databaseUrl === undefined) await storage.watches.releaseClaims(now());
    begin = async () => undefined;
  };
  const loop = startLoop({ prepare: () => begin(), work: pollDue, onError });
  watches.listen(loop.wake);
  return {
    close: async (): Promise<void> => {
      await loop.close();
      await close();
    },
  };
}

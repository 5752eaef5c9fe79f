import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.js';
import { asksBefore } from '../connections/approval-policy.js';
import { ServiceError } from '../errors.js';
import { startEventLoop } from '../events/event-loop.js';
import type { Execute, RunWithApproval } from '../tools/execute.js';
import { createPollDue } from '../watches/poll-due.js';
import { createPollPage } from '../watches/poll-page.js';
import { createPollWatch } from '../watches/poll-watch.js';
import { createPreparePoll } from '../watches/prepare-poll.js';
import { createReadPage } from '../watches/read-page.js';
import { createStorePage } from '../watches/store-page.js';
import type { Service } from './service.js';

/** Runs the calls of watches, whose approval nobody could ask for. Throws approval_required for other calls. */
export const refuseApprovals: RunWithApproval = async ({ account, tool }, run) => {
  if (!asksBefore(account.approve, tool)) return run();
  throw new ServiceError(
    'approval_required',
    `Calls of "${tool.name}" need approval, so it cannot be watched.`,
  );
};

interface WatchingParts {
  readonly config: Pick<Config, 'databaseUrl'>;
  readonly execute: Execute;
}

/** Creates the check of an account's rate limit, which polls share with the calls of the application. */
const createCountCall =
  ({ rateLimits }: Pick<Service, 'rateLimits'>) =>
  (accountId: string): void => {
    const { isAllowed, seconds } = rateLimits.account.take(accountId);
    if (isAllowed) return;
    throw new ServiceError('rate_limited', 'The account made too many calls.', { retryAfter: seconds });
  };

/** Creates the function that polls one claimed watch. */
function createPoll(service: Service, execute: Execute) {
  const { authorization, catalog, now, serviceEvents, storage } = service.parts;
  const { vault } = authorization;
  const jitter = Math.random;
  const pollPage = createPollPage({
    storage,
    vault,
    readPage: createReadPage({ execute, countCall: createCountCall(service) }),
    storePage: createStorePage({ storage, vault, serviceEvents, now, random: randomBytes }),
    now,
    jitter,
  });
  const preparePoll = createPreparePoll({ storage, catalog, vault });
  return createPollWatch({ storage, vault, preparePoll, pollPage, serviceEvents, now, jitter });
}

/** Starts the loop that polls watches in the background. */
export function startWatching(service: Service, { config, execute }: WatchingParts) {
  const { log, parts, watches } = service;
  const { now, storage } = parts;
  const onError = (error: unknown) =>
    log.fault('a watch could not be polled, because the database failed; the service retries', error);
  const { pollDue, close } = createPollDue({
    storage,
    pollWatch: createPoll(service, execute),
    now,
    random: randomBytes,
    onFree: () => loop.wake(),
    onError,
  });
  // A single process that starts is the only one, so that claims belong to its predecessor.
  let begin = async (): Promise<void> => {
    if (config.databaseUrl === undefined) await storage.watches.releaseClaims(now());
    begin = async () => undefined;
  };
  const loop = startEventLoop({ fanOut: () => begin(), deliver: pollDue, onError });
  watches.listen(loop.wake);
  return {
    close: async (): Promise<void> => {
      await loop.close();
      await close();
    },
  };
}

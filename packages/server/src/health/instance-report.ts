import type { BodyMemory } from '../concurrency/body-memory.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { ExecutionLog } from '../records/execution-log.js';
import type { Breaker } from '../upstream/breaker.js';
import type { Limiter } from '../upstream/limiter.js';
import { createLastMinute } from './last-minute.js';
import type { StatementMeter, StatementTimes } from './statement-times.js';

/** Connection on which one instance of the service refuses calls. Times are milliseconds since 1970. */
export interface LiveState {
  /**
   * Reason why the instance refuses calls. `not_answering`: the circuit breaker refuses them. `queue_full`: the
   * concurrency limit refuses them.
   */
  readonly kind: 'not_answering' | 'queue_full';
  readonly applicationId: string;
  readonly connectionId: string;
  /** True if the circuit breaker refuses calls of only some accounts. */
  readonly isOfSome: boolean;
  readonly since: number;
  /** Time of the last failed or refused call, in milliseconds since 1970. */
  readonly failedAt: number;
  readonly nextTryAt: number;
}

export const LIMIT_NAMES = ['application', 'user', 'account', 'address'] as const;
type LimitName = (typeof LIMIT_NAMES)[number];

/** Use of one rate limit within the last minute. */
export interface LimitUse {
  /** Maximum number of calls per second for each application, user, account or address. */
  readonly perSecond: number;
  readonly calls: number;
  readonly refused: number;
}

/** Status report of one instance of the service. Numbers of refused calls and of refreshes cover the last minute. */
export interface InstanceReport {
  readonly id: string;
  readonly version: string;
  readonly startedAt: string;
  /** Resident memory of the process in bytes. */
  readonly memoryBytes: number;
  readonly responseMemory: { readonly usedBytes: number; readonly limitBytes: number };
  readonly calls: { readonly running: number; readonly waiting: number; readonly refused: number };
  readonly executions: { readonly waiting: number; readonly dropped: number };
  readonly refreshes: { readonly succeeded: number; readonly failed: number };
  readonly rateLimits: Readonly<Record<LimitName, LimitUse>>;
  readonly database: StatementTimes;
  readonly states: readonly LiveState[];
}

export interface OwnReportParts {
  readonly id: string;
  readonly version: string;
  readonly breaker: Pick<Breaker, 'paused'>;
  readonly limiter: Pick<Limiter, 'use' | 'overloaded'>;
  readonly memory: Pick<BodyMemory, 'usedBytes'>;
  readonly memoryBytes: number;
  readonly executionLog: Pick<ExecutionLog, 'counts'>;
  readonly rateLimits: RateLimits;
  readonly statements: Pick<StatementMeter, 'read'>;
  /** Returns the numbers of token refreshes since the process started. */
  readonly refreshes: () => { readonly succeeded: number; readonly failed: number };
  /** Returns milliseconds of the clock that the circuit breaker and the concurrency limiter use. */
  readonly clock: () => number;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
}

// Maximum number of connections in a report, so that an outage of many upstreams does not make the report large.
const MAX_STATES = 500;

/** Lists the connections on which this instance refuses calls. Costs nothing while there are none. */
function liveStates({ breaker, limiter, clock, now }: OwnReportParts): readonly LiveState[] {
  const offset = now() - clock();
  const toTime = (at: number) => Math.round(at + offset);
  const paused = breaker
    .paused()
    .map(({ applicationId, connectionId, isOfSome, since, failedAt, nextTryAt }) => ({
      kind: 'not_answering' as const,
      applicationId,
      connectionId,
      isOfSome,
      since: toTime(since),
      failedAt: toTime(failedAt),
      nextTryAt: toTime(nextTryAt),
    }));
  const overloaded = limiter.overloaded().map(({ applicationId, connectionId, since, refusedAt }) => ({
    kind: 'queue_full' as const,
    applicationId,
    connectionId,
    isOfSome: false,
    since: toTime(since),
    failedAt: toTime(refusedAt),
    nextTryAt: toTime(refusedAt),
  }));
  return [...paused, ...overloaded].slice(0, MAX_STATES);
}

/** Creates the function that returns the status report of this instance. */
export function createOwnReport(parts: OwnReportParts) {
  const { executionLog, id, limiter, memory, memoryBytes, rateLimits, refreshes, statements, version } =
    parts;
  const startedAt = new Date(parts.now()).toISOString();
  const lastMinute = createLastMinute(() => ({
    refusedCalls: limiter.use().refused,
    succeededRefreshes: refreshes().succeeded,
    failedRefreshes: refreshes().failed,
    ...Object.fromEntries(
      LIMIT_NAMES.flatMap((name) => {
        const { calls, refused } = rateLimits[name].counts();
        return [
          [`${name} calls`, calls],
          [`${name} refused`, refused],
        ];
      }),
    ),
  }));

  function read(): InstanceReport {
    const counts = lastMinute.read();
    const count = (name: string) => counts[name] ?? 0;
    const useOf = (name: LimitName): LimitUse => ({
      perSecond: rateLimits[name].rate.perSecond,
      calls: count(`${name} calls`),
      refused: count(`${name} refused`),
    });
    const { running, waiting } = limiter.use();
    const { dropped, waiting: unwritten } = executionLog.counts();
    return {
      id,
      version,
      startedAt,
      memoryBytes: process.memoryUsage.rss(),
      responseMemory: { usedBytes: memory.usedBytes(), limitBytes: memoryBytes },
      calls: { running, waiting, refused: count('refusedCalls') },
      executions: { waiting: unwritten, dropped },
      refreshes: { succeeded: count('succeededRefreshes'), failed: count('failedRefreshes') },
      rateLimits: {
        application: useOf('application'),
        user: useOf('user'),
        account: useOf('account'),
        address: useOf('address'),
      },
      database: statements.read(),
      states: liveStates(parts),
    };
  }

  return { read, sample: lastMinute.sample };
}

export type OwnReport = ReturnType<typeof createOwnReport>;

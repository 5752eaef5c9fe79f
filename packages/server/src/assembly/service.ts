import { randomBytes } from 'node:crypto';
import { createIdempotency, type Idempotency } from '../applications/idempotency.js';
import type { Config } from '../config/config.js';
import { createIdempotencyKeys, type IdempotencyKeys } from '../front/idempotency-keys.js';
import { createRateLimits, type RateLimits, type RateLimitsParts } from '../limits/rate-limits.js';
import { createSharedRates, type SharedRates } from '../limits/shared-rates.js';
import type { Log } from '../log/log.js';
import { createExecutionLog, type ExecutionLog } from '../records/execution-log.js';
import { createFailedRequests, type FailedRequests } from '../records/failed-requests.js';
import { newId } from '../text/random.js';
import { causeOf } from '../upstream/execution-cause.js';
import { createWatches, type Watches } from '../watches/watches.js';
import { type Approvals, createApprovals } from './approvals.js';
import { createEvents, type Events, type EventsOptions } from './events.js';
import { createGrants, type Grants } from './grants.js';
import type { Parts } from './parts.js';

// Tells `causeOf` to omit the upstream's error message. The connection is unknown here, and its settings may forbid
// storing such messages.
const NO_FACTS = { userTexts: [], hidesUpstreamErrors: true };

/** Components of the running service. Commands of the CLI have only the components in `parts`. */
export interface Service {
  readonly parts: Parts;
  readonly log: Log;
  /** Unique id of this process. */
  readonly instanceId: string;
  readonly approvals: Approvals;
  readonly executionLog: ExecutionLog;
  readonly failedRequests: FailedRequests;
  readonly events: Events;
  readonly grants: Grants;
  readonly watches: Watches;
  readonly idempotency: Idempotency;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly rateLimits: RateLimits;
  /**
   * Shares the use of rate limits with other instances through the database. Absent for SQLite, which only one instance
   * can use.
   */
  readonly sharedRates: SharedRates | undefined;
}

interface ServiceOptions extends Pick<RateLimitsParts, 'onRefused'>, EventsOptions {
  readonly config: Config;
}

const clock = () => performance.now();

function createRatesOfInstances(
  { rateBuckets, instances }: Parts['storage'],
  { instanceId, log }: Pick<Service, 'instanceId' | 'log'>,
): SharedRates {
  return createSharedRates({
    rateBuckets,
    instances,
    instanceId,
    now: clock,
    onError: (error) =>
      log.fault(
        'rate limits are not shared with other instances, because the database failed; the service retries',
        error,
      ),
  });
}

function createRecords(
  { serviceEvents, storage, now }: Parts,
  log: Log,
): Pick<Service, 'executionLog' | 'failedRequests'> {
  const failedRequests = createFailedRequests({
    storage,
    causeOf: (error) => causeOf(error, NO_FACTS),
    now,
    onError: (error) => log.fault('failed requests could not be stored; the service retries', error),
    onDropped: (count) =>
      log.warn(
        'failed requests are missing in the search, because the database could not store them; check the database',
        {
          count,
        },
      ),
  });
  const executionLog = createExecutionLog({
    storage,
    reporter: serviceEvents,
    onFailed: failedRequests.noteExecution,
    onError: (error) => log.fault('executions could not be stored; the service retries', error),
    onDropped: (count) =>
      log.warn(
        'executions are missing in the list of executions, because the database could not store them; check the database',
        { count },
      ),
  });
  return { executionLog, failedRequests };
}

/**
 * Creates the components that only the running service needs, such as the execution log, approvals, grants and rate
 * limits.
 */
export function createService(parts: Parts, { config, log, onRefused, onDelivery }: ServiceOptions): Service {
  const { core, callers, catalog, digest, now, storage } = parts;
  const { commit, resolve, vault } = core;
  const { environmentUrl } = config;
  const caller = callers.current;
  const random = randomBytes;
  const instanceId = newId('inst', randomBytes);
  const sharedRates =
    config.databaseUrl === undefined ? undefined : createRatesOfInstances(storage, { instanceId, log });
  const { executionLog, failedRequests } = createRecords(parts, log);
  const idempotency = createIdempotency({ storage, digest, vault, now, random });
  return {
    parts,
    log,
    instanceId,
    events: createEvents(parts, { log, onDelivery }),
    watches: createWatches({ storage, catalog, resolve, commit, vault, digest, now, random }),
    executionLog,
    failedRequests,
    approvals: createApprovals({
      storage,
      commit,
      vault,
      digest,
      caller,
      connectors: catalog.connectors,
      environmentUrl,
      now,
      random,
    }),
    grants: createGrants(parts, environmentUrl),
    idempotency,
    idempotencyKeys: createIdempotencyKeys({ idempotency, log }),
    rateLimits: createRateLimits({
      rates: config.rates,
      now: clock,
      sharing: sharedRates?.sharing,
      onRefused,
    }),
    sharedRates,
  };
}

import type { Config } from '../config/config.js';
import { explainRefreshFailure } from '../connections/account.js';
import type { RefreshOutcome } from '../connections/refresh.js';
import { createHealth, type HealthModel } from '../health/health.js';
import { createOwnReport, type OwnReport } from '../health/instance-report.js';
import { createReadInstances } from '../health/read-instances.js';
import { createStatementTimes } from '../health/statement-times.js';
import type { Calls } from './calls.js';
import type { Service } from './service.js';

const MIB = 1024 * 1024;
const clock = () => performance.now();

/**
 * Creates the counters of database statements and token refreshes. They must exist before the service, because
 * statements and refreshes begin earlier.
 */
export function createHealthMeters() {
  const statements = createStatementTimes(clock);
  const refreshes = { succeeded: 0, failed: 0 };
  return {
    statements,
    refreshes: () => refreshes,
    countRefresh: (outcome: RefreshOutcome): void => {
      refreshes[outcome === 'ok' ? 'succeeded' : 'failed'] += 1;
    },
  };
}

export type HealthMeters = ReturnType<typeof createHealthMeters>;

interface ServiceHealthParts {
  readonly config: Config;
  readonly version: string;
  readonly calls: Calls;
  readonly meters: HealthMeters;
}

export interface ServiceHealth {
  readonly own: OwnReport;
  readonly model: HealthModel;
}

/**
 * Creates the health report of this instance, and the functions that compute the health of connections for all pages
 * and routes.
 */
export function createServiceHealth(
  { executionLog, instanceId, parts, rateLimits, sharedRates }: Service,
  { calls, config, meters, version }: ServiceHealthParts,
): ServiceHealth {
  const { core, now, storage } = parts;
  const { breaker, limiter, memory } = calls;
  const own = createOwnReport({
    id: instanceId,
    version,
    breaker,
    limiter,
    memory,
    memoryBytes: config.responseMemory * MIB,
    executionLog,
    rateLimits,
    statements: meters.statements,
    refreshes: meters.refreshes,
    clock,
    now,
  });
  const model = createHealth({
    storage,
    connections: core.connections,
    executionLog,
    explainRefreshFailure,
    readInstances: createReadInstances({ own, instances: sharedRates && storage.instances, clock }),
    now,
  });
  return { own, model };
}

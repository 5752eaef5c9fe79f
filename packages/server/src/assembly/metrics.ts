import type { RequestListener } from 'node:http';
import type { Config } from '../config/config.js';
import { createMetricsServer, type MetricsServer } from '../http/metrics-server.js';
import { createAddressOf } from '../listener/networks.js';
import type { Log } from '../log/log.js';
import { createAccountCounts } from '../metrics/account-counts.js';
import { type CallMetrics, createCallMetrics } from '../metrics/call-metrics.js';
import { createEventCounts } from '../metrics/event-counts.js';
import { addProcessMetrics } from '../metrics/process-metrics.js';
import { createRegistry } from '../metrics/registry.js';
import { createServeMetrics } from '../metrics/serve-metrics.js';
import { addStateMetrics } from '../metrics/state-metrics.js';
import type { Calls } from './calls.js';
import type { Service } from './service.js';

const MIB = 1024 * 1024;

interface MetricsParts {
  readonly service: Service;
  readonly calls: Calls;
  readonly isReady: () => boolean;
}

/** Prometheus metrics of this process. They are created before the service. */
export interface Metrics {
  readonly count: CallMetrics;
  /**
   * Adds gauges of the service's state, such as open database connections. Call it once, after the service was created.
   */
  readonly open: (parts: MetricsParts) => OpenedMetrics;
}

export interface OpenedMetrics extends MetricsServer {
  /** HTTP handler that responds with the current values of all metrics. */
  readonly serve: RequestListener;
}

/**
 * Creates the Prometheus metrics. Returns `undefined` if the settings do not enable them, so that nothing is counted.
 */
export function createMetrics(
  { metrics, responseMemory, trustedProxies }: Config,
  version: string,
): Metrics | undefined {
  if (metrics === undefined) return undefined;
  const registry = createRegistry();
  const stopMeasuring = addProcessMetrics(registry, version);
  const failedReads = registry.counter({
    name: 'svc_metrics_read_errors_total',
    help: 'Failed attempts to count rows of the database. After a failed attempt, the metrics of these rows are left out.',
  })();

  function open({ service, calls, isReady }: MetricsParts): OpenedMetrics {
    const { executionLog, parts, rateLimits } = service;
    const counting = {
      storage: parts.storage,
      now: () => performance.now(),
      onError: () => {
        failedReads.value += 1;
      },
    };
    const accountCounts = createAccountCounts(counting);
    const eventCounts = createEventCounts(counting);
    const { breaker, limiter, memory } = calls;
    const memoryBytes = responseMemory * MIB;
    const { pools } = parts;
    const counts = { accountCounts, eventCounts };
    const state = { isReady, breaker, limiter, executionLog, memory, memoryBytes, pools, ...counts };
    addStateMetrics(registry, state);
    const serve = createServeMetrics({
      token: metrics?.token,
      addressOf: createAddressOf(trustedProxies),
      limitAddress: rateLimits.address,
      readText: async () => {
        await Promise.all([accountCounts.refresh(), eventCounts.refresh()]);
        return registry.text();
      },
      onError: (error) =>
        service.log.fault(
          'the metrics could not be read; report this line to the developers of the service',
          error,
        ),
    });
    const { listen, close } = createMetricsServer(serve);
    return {
      serve,
      listen,
      close: async () => {
        stopMeasuring();
        await close();
      },
    };
  }

  return { count: createCallMetrics(registry), open };
}

/** Returns a log that also counts each logged request in the metrics. */
export const countRequests = (log: Log, { countRequest }: CallMetrics): Log => ({
  ...log,
  request: (request) => {
    countRequest(request);
    log.request(request);
  },
});

import type { BodyMemory } from '../concurrency/body-memory.js';
import type { ExecutionLog } from '../records/execution-log.js';
import type { PoolUse } from '../storage/dialect.js';
import type { Breaker } from '../upstream/breaker.js';
import type { Limiter } from '../upstream/limiter.js';
import type { AccountCounts } from './account-counts.js';
import type { CachedCount } from './cached-count.js';
import type { EventCounts } from './event-counts.js';
import type { Registry, Sample } from './registry.js';

export interface StateMetricsParts {
  readonly isReady: () => boolean;
  readonly limiter: Pick<Limiter, 'use'>;
  readonly breaker: Pick<Breaker, 'paused'>;
  readonly executionLog: Pick<ExecutionLog, 'counts'>;
  readonly memory: Pick<BodyMemory, 'usedBytes'>;
  readonly memoryBytes: number;
  readonly pools: () => readonly PoolUse[];
  readonly accountCounts: Pick<AccountCounts, 'read'>;
  readonly eventCounts: Pick<CachedCount<EventCounts>, 'read'>;
}

function addCalls({ readAtScrape }: Registry, { breaker, limiter }: StateMetricsParts): void {
  readAtScrape({
    name: 'svc_upstream_calls',
    kind: 'gauge',
    help: 'Calls to upstreams that are in progress, or wait for a slot of the concurrency limit.',
    labels: ['state'],
    read: () => {
      const { running, waiting } = limiter.use();
      return [
        { labels: ['running'], value: running },
        { labels: ['waiting'], value: waiting },
      ];
    },
  });
  readAtScrape({
    name: 'svc_upstream_queue_refusals_total',
    kind: 'counter',
    help: 'Calls that were refused because the queue of the concurrency limit was full or slow.',
    read: () => [{ value: limiter.use().refused }],
  });
  readAtScrape({
    name: 'svc_circuit_breakers',
    kind: 'gauge',
    help: 'Circuit breakers that refuse all or some calls of a connection. No sample means that all circuit breakers are closed.',
    labels: ['connector', 'state'],
    read: () =>
      [...Map.groupBy(breaker.paused(), ({ connector, state }) => `${connector} ${state}`)].map(
        ([labels, circuits]) => ({ labels: labels.split(' '), value: circuits.length }),
      ),
  });
}

function addQueues(
  { readAtScrape }: Registry,
  { executionLog, memory, memoryBytes }: StateMetricsParts,
): void {
  readAtScrape({
    name: 'svc_execution_records_waiting',
    kind: 'gauge',
    help: 'Records of executions in the write buffer.',
    read: () => [{ value: executionLog.counts().waiting }],
  });
  readAtScrape({
    name: 'svc_execution_records_total',
    kind: 'counter',
    help: 'Records of executions that were written to the database or dropped.',
    labels: ['outcome'],
    read: () => {
      const { written, dropped } = executionLog.counts();
      return [
        { labels: ['written'], value: written },
        { labels: ['dropped'], value: dropped },
      ];
    },
  });
  readAtScrape({
    name: 'svc_response_memory_bytes',
    kind: 'gauge',
    help: 'Memory that calls have reserved for request and response bodies.',
    read: () => [{ value: memory.usedBytes() }],
  });
  readAtScrape({
    name: 'svc_response_memory_limit_bytes',
    kind: 'gauge',
    help: 'Memory for request and response bodies, from SVC_RESPONSE_MEMORY.',
    read: () => [{ value: memoryBytes }],
  });
}

function addDatabase({ readAtScrape }: Registry, { accountCounts, pools }: StateMetricsParts): void {
  const stateOf = ({ pool, used, idle, waiting }: PoolUse): readonly Sample[] => [
    { labels: [pool, 'used'], value: used },
    { labels: [pool, 'idle'], value: idle },
    { labels: [pool, 'waiting'], value: waiting },
  ];
  readAtScrape({
    name: 'svc_database_connections',
    kind: 'gauge',
    help: 'Connections to the database that are in use or idle, and requests that wait for a connection.',
    labels: ['pool', 'state'],
    read: () => pools().flatMap(stateOf),
  });
  readAtScrape({
    name: 'svc_accounts',
    kind: 'gauge',
    help: 'Connected accounts of all applications. Each instance reports the same numbers.',
    labels: ['connector', 'status'],
    read: () =>
      accountCounts
        .read()
        .map(({ connector, status, count }) => ({ labels: [connector, status], value: count })),
  });
}

function addEvents({ readAtScrape }: Registry, { eventCounts }: StateMetricsParts): void {
  readAtScrape({
    name: 'svc_event_deliveries_waiting',
    kind: 'gauge',
    help: 'Deliveries of events that have not ended, at most 10000. Each instance reports the same number.',
    read: () => {
      const counts = eventCounts.read();
      return counts === undefined ? [] : [{ value: counts.waiting }];
    },
  });
  readAtScrape({
    name: 'svc_webhook_endpoints_disabled',
    kind: 'gauge',
    help: 'Disabled webhook endpoints by the reason. Each instance reports the same numbers.',
    labels: ['reason'],
    read: () =>
      (eventCounts.read()?.disabled ?? []).map(({ reason, count }) => ({
        labels: [reason ?? 'application'],
        value: count,
      })),
  });
  readAtScrape({
    name: 'svc_webhook_endpoints_paused',
    kind: 'gauge',
    help: 'Paused webhook endpoints: the service cannot decrypt their signing secrets. Each instance reports the same number.',
    read: () => {
      const counts = eventCounts.read();
      return counts === undefined ? [] : [{ value: counts.paused }];
    },
  });
  readAtScrape({
    name: 'svc_watches',
    kind: 'gauge',
    help: 'Enabled watches by state, at most 10000 together. Each instance reports the same numbers.',
    labels: ['state'],
    read: () =>
      (eventCounts.read()?.watches ?? []).map(({ state, count }) => ({ labels: [state], value: count })),
  });
}

/** Adds the metrics of the current state of the service, which are read at scrape time. */
export function addStateMetrics(registry: Registry, parts: StateMetricsParts): void {
  registry.readAtScrape({
    name: 'svc_ready',
    kind: 'gauge',
    help: '1 when the start of the instance has finished, otherwise 0.',
    read: () => [{ value: parts.isReady() ? 1 : 0 }],
  });
  addCalls(registry, parts);
  addQueues(registry, parts);
  addDatabase(registry, parts);
  addEvents(registry, parts);
}

import { createTtlCache } from '../concurrency/ttl-cache.js';
import type { Connection } from '../connections/connection.js';
import type { Connections } from '../connections/connections.js';
import type { ExecutionLog } from '../records/execution-log.js';
import type { ExecutionOutcome } from '../storage/executions-table.js';
import type { Storage } from '../storage/storage.js';
import type { FailedWatch } from '../storage/watches-table.js';
import {
  COUNTED_MS,
  type ConnectionHealth,
  connectionHealth,
  INTERVAL_MS,
  isTrouble,
  RECENT_MS,
  urgencyOf,
} from './connection-health.js';
import type { InstanceReport, LiveState } from './instance-report.js';
import type { ReadInstances } from './read-instances.js';
import { type EndpointProblem, listTroubledEndpoints } from './troubled-endpoints.js';

export interface HealthParts {
  readonly storage: Pick<
    Storage,
    | 'accountCounts'
    | 'callApprovals'
    | 'connections'
    | 'executions'
    | 'executionStatistics'
    | 'watches'
    | 'webhookEndpoints'
  >;
  readonly connections: Pick<Connections, 'list'>;
  readonly executionLog: Pick<ExecutionLog, 'flush'>;
  readonly explainRefreshFailure: (failure: string) => string;
  readonly readInstances: ReadInstances;
  readonly now: () => number;
}

export type WithHealth<Item> = Item & { readonly health: ConnectionHealth };

/** Connection whose state needs an operator's attention. */
export interface ConnectionProblem {
  readonly applicationId: string;
  readonly connectionName: string;
  readonly health: ConnectionHealth;
}

/** Instance of the service that measured a slow database. */
export interface SlowDatabase {
  readonly instanceId: string;
  readonly p95Ms: number;
}

export interface Problems {
  readonly connections: readonly ConnectionProblem[];
  readonly webhookEndpoints: readonly EndpointProblem[];
  /** Watches (polled lists of upstreams) whose polls fail, at most 100, of one application or of all applications. */
  readonly watches: readonly FailedWatch[];
  readonly slowDatabase?: SlowDatabase;
  /**
   * Number of the application's calls that wait for an approval. Absent if the problems of all applications are listed.
   */
  readonly waitingApprovals?: number;
}

// Time in milliseconds for which an account counts as failing after its last failed token refresh. It is limited,
// because without calls no further refresh would show a recovery. The longest wait between two attempts is 5 minutes.
const REFRESH_MS = 10 * 60_000;
const MAX_ACCOUNTS = 10_000;
const MAX_CONNECTIONS = 100;
const MAX_WATCHES = 100;
const MAX_APPLICATIONS = 50;
const MAX_EXECUTIONS = 1000;
// Maximum number of connections whose newest calls are read by separate queries, because the newest executions of the
// application contain too few of their calls.
const MAX_SEARCHED = 5;
const FEW = 5;
const MAX_RARE_EXECUTIONS = 50;

/** Time in milliseconds for which an application's call counts, token failures and circuit breakers are cached. */
const FACTS_MS = 1000;
// Estimated number of characters in one cached row, for limiting the size of the cache.
const FACT_LENGTH = 100;

const byName = <Item extends { readonly connectionName: string }>(items: readonly Item[]) =>
  Map.groupBy(items, ({ connectionName }) => connectionName);

function slowDatabaseOf(instances: readonly InstanceReport[]): SlowDatabase | undefined {
  const [slowest] = instances
    .filter(({ database }) => database.isSlow)
    .toSorted((one, other) => other.database.p95Ms - one.database.p95Ms);
  return slowest && { instanceId: slowest.id, p95Ms: slowest.database.p95Ms };
}

/**
 * Creates the functions that compute the health of connections. All pages and routes use them, so all instances of the
 * service report the same states.
 */
export function createHealth(parts: HealthParts) {
  const { storage, connections, executionLog, explainRefreshFailure, readInstances, now } = parts;

  /**
   * Reads the recent calls of connections. Usually the newest executions of the application contain some calls of each
   * connection. If other connections have far more calls, up to five connections are queried separately.
   */
  async function readOutcomes(
    applicationId: string,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, readonly ExecutionOutcome[]>> {
    if (names.length === 0) return new Map();
    const since = now() - RECENT_MS;
    const newest = await storage.executions.listOutcomes(applicationId, { since, limit: MAX_EXECUTIONS });
    const outcomes = new Map<string, readonly ExecutionOutcome[]>(byName(newest));
    if (newest.length < MAX_EXECUTIONS) return outcomes;
    const rare = names.filter((name) => (outcomes.get(name)?.length ?? 0) < FEW).slice(0, MAX_SEARCHED);
    const searched = await Promise.all(
      rare.map(async (connectionName) => {
        const query = { connectionName, since, limit: MAX_RARE_EXECUTIONS };
        return [connectionName, (await storage.executions.list(applicationId, query)).rows] as const;
      }),
    );
    return new Map([...outcomes, ...searched]);
  }

  async function readRefreshFailures(applicationId: string) {
    const rows = await storage.accountCounts.countRefreshFailures(applicationId, {
      from: now() - REFRESH_MS,
      most: MAX_ACCOUNTS,
    });
    return new Map(
      rows.map((row) => [row.connectionId, { ...row, reason: explainRefreshFailure(row.reason) }]),
    );
  }

  async function readStates(applicationId: string): Promise<ReadonlyMap<string, readonly LiveState[]>> {
    const states = (await readInstances()).flatMap((instance) => instance.states);
    const own = states.filter((state) => state.applicationId === applicationId);
    return Map.groupBy(own, ({ connectionId }) => connectionId);
  }

  async function readFacts(applicationId: string) {
    await executionLog.flush();
    const time = now();
    const [live, refreshFailures, counted] = await Promise.all([
      readStates(applicationId),
      readRefreshFailures(applicationId),
      storage.executionStatistics.listRecent(applicationId, time - COUNTED_MS),
    ]);
    return { applicationId, live, refreshFailures, counted };
  }

  const facts = createTtlCache<Awaited<ReturnType<typeof readFacts>>>({
    now,
    ttlMs: FACTS_MS,
    lengthOf: ({ live, refreshFailures, counted }) =>
      (live.size + refreshFailures.size + counted.length) * FACT_LENGTH,
  });

  /**
   * Returns the data from which the health of an application's connections is computed. Reads it at most once per
   * second, because each request for a connection needs it.
   */
  const knownFacts = (applicationId: string) =>
    facts.get(applicationId) ??
    facts.fillOnce(
      applicationId,
      () => readFacts(applicationId),
      () => applicationId,
    );

  /** Returns connections of an application together with their health. */
  async function addTo<Item extends Connection>(
    applicationId: string,
    items: readonly Item[],
  ): Promise<WithHealth<Item>[]> {
    if (items.length === 0) return [];
    const time = now();
    const { live, refreshFailures, counted } = await knownFacts(applicationId);
    const calls = byName(counted);
    const isSuspect = ({ id, connectionName }: Item): boolean =>
      live.has(id) ||
      (calls.get(connectionName) ?? []).some(
        ({ at, errors }) => errors > 0 && at > time - RECENT_MS - INTERVAL_MS,
      );
    const suspects = items.filter(isSuspect).map(({ connectionName }) => connectionName);
    const outcomes = await readOutcomes(applicationId, suspects);
    return items.map((connection) => {
      const health = connectionHealth({
        connection,
        live: live.get(connection.id) ?? [],
        refreshFailures: refreshFailures.get(connection.id),
        outcomes: outcomes.get(connection.connectionName) ?? [],
        counted: calls.get(connection.connectionName) ?? [],
        now: time,
      });
      return { ...connection, health };
    });
  }

  /** Lists connections that need an operator's attention, among the application's first 100 connections. */
  async function listTroubled(applicationId: string): Promise<readonly ConnectionProblem[]> {
    const { items } = await connections.list(applicationId, { pageSize: MAX_CONNECTIONS });
    const known = await addTo(applicationId, items);
    return known
      .filter(({ health }) => isTrouble(health))
      .map(({ connectionName, health }) => ({ applicationId, connectionName, health }));
  }

  /** Finds applications whose connections may have problems, without reading every connection. */
  async function findSuspects(): Promise<readonly string[]> {
    await executionLog.flush();
    const time = now();
    const suspects = await Promise.all([
      readInstances().then((all) => all.flatMap(({ states }) => states.map((state) => state.applicationId))),
      storage.accountCounts.applicationsOfRefreshFailures(time - REFRESH_MS, MAX_ACCOUNTS),
      storage.connections.applicationsOfNotWorking(MAX_CONNECTIONS),
      storage.executionStatistics.applicationsOfErrors(time - RECENT_MS - INTERVAL_MS, MAX_APPLICATIONS),
    ]);
    return [...new Set(suspects.flat())].slice(0, MAX_APPLICATIONS);
  }

  /**
   * Lists all problems of one application, with the most urgent ones first. Without `applicationId`, lists those of at
   * most 50 applications.
   */
  async function readProblems(applicationId?: string): Promise<Problems> {
    const ids = applicationId === undefined ? await findSuspects() : [applicationId];
    const [instances, webhookEndpoints, watches, waitingApprovals, ...troubled] = await Promise.all([
      readInstances(),
      listTroubledEndpoints(storage, applicationId, now()),
      storage.watches.listFailed({ applicationId, limit: MAX_WATCHES }),
      applicationId === undefined ? undefined : storage.callApprovals.countWaiting(applicationId, now()),
      ...ids.map(listTroubled),
    ]);
    const slowDatabase = slowDatabaseOf(instances);
    const sorted = troubled.flat().toSorted((one, other) => urgencyOf(one.health) - urgencyOf(other.health));
    return {
      connections: sorted,
      webhookEndpoints,
      watches,
      ...(slowDatabase && { slowDatabase }),
      ...(waitingApprovals !== undefined && { waitingApprovals }),
    };
  }

  return { addTo, readProblems, readInstances };
}

export type HealthModel = ReturnType<typeof createHealth>;

import type { RefreshOutcome } from '../connections/refresh.js';
import { ERROR_STATUS, ServiceError } from '../errors.js';
import type { DeliveryOutcome } from '../events/ended-attempt.js';
import type { CompletedRequest } from '../log/request-line.js';
import type { ExecutionRecord } from '../upstream/begin-execution.js';
import type { AttemptOutcome } from '../upstream/guard-send.js';
import { createBoundedSeries, OTHER } from './bounded-series.js';
import type { Registry, Series } from './registry.js';
import { addWatches } from './watch-metrics.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const LIMITS = ['application', 'user', 'account', 'address'] as const;

// Maximum numbers of different label values. The service's routes and built-in connectors stay far below; private
// connectors may exceed them.
const MAX_ROUTES = 300;
const MAX_CONNECTORS = 100;
const MAX_TOOLS = 1000;

const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const WAIT_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10];
/** Upper bounds of the histogram of webhook delays, in seconds. The last attempt is made after about 75 hours. */
const DELAY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600, 86_400, 345_600];
const QUERY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/**
 * Creates a lookup of counters by a small integer, such as a status class. Each counter is created at its first use.
 */
function createIndexed(create: (index: number) => Series): (index: number) => Series {
  const known: (Series | undefined)[] = [];
  return (index) => {
    const counted = known[index] ?? create(index);
    known[index] = counted;
    return counted;
  };
}

/** Returns the class of an HTTP status, such as 2 for 200. Returns 0 for any other number. */
const classOf = (status: number): number => (status >= 100 && status < 600 ? Math.floor(status / 100) : 0);

const className = (index: number): string => (index === 0 ? 'none' : `${index}xx`);

function addRequests({ counter, histogram }: Registry) {
  const add = counter({
    name: 'svc_http_requests_total',
    help: 'HTTP requests by route, method and class of the status.',
    labels: ['route', 'method', 'status'],
  });
  const addDuration = histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labels: ['route'],
    bounds: CALL_SECONDS,
  });
  const addError = counter({
    name: 'svc_http_errors_total',
    help: 'Error responses of this service by error code. Error responses of upstreams do not count.',
    labels: ['code'],
  });
  const errors = new Map<string, Series>(Object.keys(ERROR_STATUS).map((code) => [code, addError(code)]));
  const otherErrors = addError(OTHER);
  const seriesOf = createBoundedSeries(MAX_ROUTES, (route) => ({
    duration: addDuration(route),
    counterOf: createIndexed((index) =>
      add(route, METHODS[Math.floor(index / 6)] ?? OTHER, className(index % 6)),
    ),
  }));

  return function countRequest({ route, method, status, durationMs, errorCode }: CompletedRequest): void {
    const { duration, counterOf } = seriesOf(route);
    const found = METHODS.indexOf(method);
    const methodIndex = found === -1 ? METHODS.length : found;
    counterOf(methodIndex * 6 + classOf(status)).value += 1;
    duration.observe(durationMs / 1000);
    if (errorCode !== undefined) (errors.get(errorCode) ?? otherErrors).value += 1;
  };
}

const OUTCOMES = ['ok', 'refused', 'failed'];

/**
 * Returns the index of a tool call's outcome in `OUTCOMES`. A status from 500 is a failure, and one from 400 a refusal
 * that the caller or a person can resolve.
 */
function outcomeIndex(status: number): number {
  if (status >= 500) return 2;
  return status >= 400 ? 1 : 0;
}

function addExecutions({ counter, histogram }: Registry) {
  const addTool = counter({
    name: 'svc_tool_calls_total',
    help: 'Tool calls as a connected account, by tool and outcome.',
    labels: ['connector', 'tool', 'outcome'],
  });
  const addProxied = counter({
    name: 'svc_proxy_requests_total',
    help: 'Proxied requests as a connected account, by class of the status that the caller got.',
    labels: ['connector', 'status'],
  });
  const wait = histogram({
    name: 'svc_upstream_queue_wait_seconds',
    help: 'Time that a call waited for a slot of the concurrency limit. Calls that did not wait do not count.',
    bounds: WAIT_SECONDS,
  })();
  const proxiedOf = createBoundedSeries(MAX_CONNECTORS, (connector) =>
    createIndexed((index) => addProxied(connector, className(index))),
  );
  const toolOf = createBoundedSeries(MAX_TOOLS, (tool, connector) =>
    createIndexed((index) => addTool(connector, tool, OUTCOMES[index] ?? OTHER)),
  );

  return function countExecution({ toolName, status, waitedMs }: ExecutionRecord, connector: string): void {
    if (waitedMs > 0) wait.observe(waitedMs / 1000);
    if (toolName === null) proxiedOf(connector)(classOf(status)).value += 1;
    else toolOf(toolName, connector)(outcomeIndex(status)).value += 1;
  };
}

const NO_STATUS: readonly AttemptOutcome[] = ['timeout', 'failed', 'other'];

/**
 * Returns the index of the counter for an upstream request: the first digit of the status (0 for an invalid status),
 * and 6 to 8 for requests without a response.
 */
const attemptIndex = (outcome: AttemptOutcome): number =>
  typeof outcome === 'number' ? classOf(outcome) : 6 + NO_STATUS.indexOf(outcome);

function addAttempts({ counter, histogram }: Registry) {
  const add = counter({
    name: 'svc_upstream_requests_total',
    help: 'Requests that were sent to upstreams, with retries, by class of the status or reason of the failure.',
    labels: ['connector', 'outcome'],
  });
  const addDuration = histogram({
    name: 'svc_upstream_request_duration_seconds',
    help: 'Time until the head of the response of an upstream arrived or the request failed.',
    labels: ['connector'],
    bounds: CALL_SECONDS,
  });
  const seriesOf = createBoundedSeries(MAX_CONNECTORS, (connector) => ({
    duration: addDuration(connector),
    counterOf: createIndexed((index) => add(connector, String(NO_STATUS[index - 6] ?? className(index)))),
  }));

  // Takes three plain parameters, because creating an object for each upstream request would cost garbage collection.
  return function countAttempt(connector: string, ms: number, outcome: AttemptOutcome): void {
    const { duration, counterOf } = seriesOf(connector);
    counterOf(attemptIndex(outcome)).value += 1;
    duration.observe(ms / 1000);
  };
}

function addRefreshes({ counter }: Registry) {
  const add = counter({
    name: 'svc_token_refreshes_total',
    help: 'Refreshes of OAuth tokens that this process tried.',
    labels: ['connector', 'outcome'],
  });
  const seriesOf = createBoundedSeries(MAX_CONNECTORS, (connector) => ({
    ok: add(connector, 'ok'),
    refused: add(connector, 'refused'),
    client_refused: add(connector, 'client_refused'),
    failed: add(connector, 'failed'),
  }));
  return function countRefresh(connector: string, outcome: RefreshOutcome): void {
    seriesOf(connector)[outcome].value += 1;
  };
}

function addRateLimits({ counter }: Registry) {
  const add = counter({
    name: 'svc_rate_limit_refusals_total',
    help: 'Calls that a rate limit refused.',
    labels: ['limit'],
  });
  const limits = new Map(LIMITS.map((limit) => [limit as string, add(limit)]));
  const other = add(OTHER);
  return function countRefusal(limit: string): void {
    (limits.get(limit) ?? other).value += 1;
  };
}

function addQueries({ counter, histogram }: Registry) {
  const duration = histogram({
    name: 'svc_database_query_duration_seconds',
    help: 'Time of a statement of the database, without the wait for a connection.',
    bounds: QUERY_SECONDS,
  })();
  const add = counter({
    name: 'svc_database_errors_total',
    help: 'Statements that failed. unavailable: the database could not be used; other: it refused the statement.',
    labels: ['kind'],
  });
  const unavailable = add('unavailable');
  const other = add(OTHER);
  return function countQuery(ms: number, error: unknown): void {
    duration.observe(ms / 1000);
    if (error === undefined) return;
    const isDown = error instanceof ServiceError && error.code === 'unavailable';
    (isDown ? unavailable : other).value += 1;
  };
}

function addDeliveries({ counter, histogram }: Registry) {
  const add = counter({
    name: 'svc_event_deliveries_total',
    help: 'Attempts to deliver an event by outcome. retried: the attempt failed, and another one follows.',
    labels: ['outcome'],
  });
  const delay = histogram({
    name: 'svc_event_delivery_delay_seconds',
    help: 'Time from an event to the response of the endpoint that accepted it.',
    bounds: DELAY_SECONDS,
  })();
  const outcomes = {
    succeeded: add('succeeded'),
    retried: add('retried'),
    failed: add('failed'),
    postponed: add('postponed'),
  };
  return function countDelivery(outcome: DeliveryOutcome, delayMs: number): void {
    outcomes[outcome].value += 1;
    if (outcome === 'succeeded') delay.observe(delayMs / 1000);
  };
}

/**
 * Creates the counters of requests, tool calls, token refreshes and other events. Each returned function counts one
 * event.
 */
export function createCallMetrics(registry: Registry) {
  return {
    countRequest: addRequests(registry),
    countExecution: addExecutions(registry),
    countAttempt: addAttempts(registry),
    countRefresh: addRefreshes(registry),
    countRefusal: addRateLimits(registry),
    countQuery: addQueries(registry),
    countDelivery: addDeliveries(registry),
    ...addWatches(registry),
  };
}

export type CallMetrics = ReturnType<typeof createCallMetrics>;

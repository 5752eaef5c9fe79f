import type { FastifyInstance } from 'fastify';
import type { ExecutionFilter, ExecutionLog } from '../records/execution-log.js';
import type { StatisticsRequest } from '../records/execution-statistics.js';
import { closed, moment, pageOf, pageQuery } from './list-schema.js';

const text = { type: 'string' };
const number = { type: 'integer' };

const execution = closed(
  {
    id: text,
    accountId: text,
    connectionName: text,
    kind: { type: 'string', enum: ['tool', 'proxy'] },
    toolName: { ...text, description: 'Name of the tool; only for tools.' },
    method: { ...text, description: 'HTTP method; only for proxied requests.' },
    status: { ...number, description: 'HTTP status of the response to the caller.' },
    errorCode: text,
    upstreamStatus: {
      ...number,
      description: 'Last HTTP status from the upstream; absent if no request was sent.',
    },
    durationMs: number,
    startedAt: text,
    requestId: text,
  },
  ['id', 'accountId', 'connectionName', 'kind', 'status', 'durationMs', 'startedAt', 'requestId'],
);

const executionDetails = closed(
  {
    ...execution.properties,
    accountIdentifier: { ...text, description: 'Identifier of the account; absent after its deletion.' },
    approvalId: { ...text, description: 'Approval that allowed the call, if it needed one.' },
    attempts: {
      ...number,
      description:
        'Number of requests to the upstream: more than one after a retry, or for a tool with several requests.',
    },
    refreshed: { type: 'boolean', description: 'True if the access token was refreshed during the call.' },
    upstreamMs: { ...number, description: "Milliseconds spent waiting for the upstream's responses." },
    waitedMs: { ...number, description: 'Milliseconds spent waiting for a free slot.' },
  },
  execution.required,
);

const filters = {
  connectionName: { ...text, maxLength: 64 },
  toolName: { ...text, maxLength: 128 },
  status: { ...number, minimum: 100, maximum: 599 },
  accountId: { ...text, maxLength: 128 },
  failed: {
    type: 'boolean',
    description: 'Only executions with a status of 400 or higher, or with an interrupted response.',
  },
  since: moment,
  until: moment,
};

const listSchema = {
  tags: ['executions'],
  summary: 'List executions, newest first; bodies are not stored',
  description:
    'With a filter other than since or until, each page searches 10,000 executions. A page with fewer than pageSize items, even an empty one, may have a nextPageToken.',
  querystring: pageQuery(filters),
  response: { 200: pageOf(execution) },
};

const getSchema = {
  tags: ['executions'],
  summary: 'Get an execution with its details',
  params: closed({ executionId: { ...text, maxLength: 128 } }),
  response: { 200: executionDetails },
};

const orNull = { type: ['integer', 'null'] };
/** Schema for the call counters of one interval of the statistics. */
export const statisticsPoint = closed({
  at: { ...text, description: 'Start of the time step.' },
  calls: number,
  errors: number,
  p50Ms: {
    ...orNull,
    description: 'Approximate median duration; null without calls.',
  },
  p95Ms: orNull,
});

const statisticsSchema = {
  tags: ['executions'],
  summary: 'Get calls, errors and durations over time, in at most 200 points',
  querystring: closed({ from: moment, to: moment, connectionName: filters.connectionName }, ['from', 'to']),
  response: { 200: closed({ stepSeconds: number, points: { type: 'array', items: statisticsPoint } }) },
};

/**
 * Adds routes that list the executions of an application and their statistics. A hook of `app` must authenticate
 * requests.
 */
export function addExecutionRoutes(
  app: FastifyInstance,
  { executionLog }: { readonly executionLog: Pick<ExecutionLog, 'list' | 'get' | 'statistics'> },
): void {
  app.get<{ Querystring: ExecutionFilter }>(
    '/executions',
    { schema: listSchema },
    ({ applicationId, query }) => executionLog.list(applicationId, query),
  );
  app.get<{ Params: { executionId: string } }>(
    '/executions/:executionId',
    { schema: getSchema },
    ({ applicationId, params: { executionId } }) => executionLog.get(applicationId, executionId),
  );
  app.get<{ Querystring: StatisticsRequest }>(
    '/execution-statistics',
    { schema: statisticsSchema },
    ({ applicationId, query }) => executionLog.statistics(applicationId, query),
  );
}

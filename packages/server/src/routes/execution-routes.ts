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
    toolName: { ...text, description: 'Of a tool.' },
    method: { ...text, description: 'Of a proxied request.' },
    status: { ...number, description: 'The HTTP status that the caller got.' },
    errorCode: text,
    upstreamStatus: {
      ...number,
      description: 'The last status of the upstream; absent when nothing was sent.',
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
    accountIdentifier: { ...text, description: 'As long as the account is there.' },
    approvalId: { ...text, description: 'The approval that it ran by, where a person was asked.' },
    attempts: {
      ...number,
      description:
        'Requests that were sent upstream: several where one was repeated, or a tool takes several.',
    },
    refreshed: { type: 'boolean', description: 'Whether its credential was renewed on the way.' },
    upstreamMs: { ...number, description: "How long it waited for the upstream's answers." },
    waitedMs: { ...number, description: 'How long it waited for its turn.' },
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
    description: 'Only those with a status of 400 and above, or whose answer broke off.',
  },
  since: moment,
  until: moment,
};

const listSchema = {
  tags: ['executions'],
  summary: 'List what ran, newest first; bodies are not kept',
  description:
    'A filter but for the times looks through 10,000 executions for a page: one that holds less than pageSize, or nothing, may have a nextPageToken and so a next one.',
  querystring: pageQuery(filters),
  response: { 200: pageOf(execution) },
};

const getSchema = {
  tags: ['executions'],
  summary: 'Get what ran, and how it went',
  params: closed({ executionId: { ...text, maxLength: 128 } }),
  response: { 200: executionDetails },
};

const orNull = { type: ['integer', 'null'] };
/** Counts of one time step. */
export const statisticsPoint = closed({
  at: { ...text, description: 'When it begins.' },
  calls: number,
  errors: number,
  p50Ms: {
    ...orNull,
    description: 'Half of the calls took no longer, as far as their counts tell; null without calls.',
  },
  p95Ms: orNull,
});

const statisticsSchema = {
  tags: ['executions'],
  summary: 'Count calls, errors and how long they took over time, in at most 200 points',
  querystring: closed({ from: moment, to: moment, connectionName: filters.connectionName }, ['from', 'to']),
  response: { 200: closed({ stepSeconds: number, points: { type: 'array', items: statisticsPoint } }) },
};

/** Adds the executions of an application. A hook of `app` must authenticate requests. */
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

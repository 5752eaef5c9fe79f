import type { FastifyInstance, FastifySchema } from 'fastify';
import { belongingTo, closed, moment, named, pageOf, pageQuery, timeOrder } from '../listener/list-schema.js';
import type { ExecutionFilter, ExecutionLog } from '../records/execution-log.js';
import type { StatisticsRequest } from '../records/execution-statistics.js';
import { connectedAs } from './account-schemas.js';

const text = { type: 'string' };
const number = { type: 'integer' };

// Example trace id of the W3C recommendation "Trace Context".
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

const REQUEST_ID = 'req_0193f2a8c4d17b3e9a5c6d7e';

const EXAMPLE = {
  id: 'exec_0193f2a8c4d17b3e9a5c6d7e8f901234',
  toolName: 'crm_list_contacts',
  status: 200,
  upstreamStatus: 200,
  durationMs: 84,
  traceId: TRACE_ID,
  serviceVersion: '1.4.0',
  count: 1,
};

const execution = named(
  'Execution',
  closed(
    {
      id: text,
      accountId: { ...text, description: 'Id of the account; absent if no account was found.' },
      accountIdentifier: {
        ...text,
        description:
          'Identifier of the user of the account, or the identifier that the call named. Absent after the deletion of the account.',
      },
      accountLabel: {
        ...text,
        examples: ['work'],
        description: 'Label of the account, if the account has one.',
      },
      connectionName: { ...text, description: 'Name of the connection; absent if the call named none.' },
      kind: { type: 'string', enum: ['tool', 'proxy'] },
      toolName: { ...text, description: 'Name of the tool; only for tools.' },
      method: { ...text, description: 'HTTP method; only for proxied requests.' },
      path: {
        ...text,
        description: 'Path at the upstream, with {id} for each id; only for proxied requests.',
        examples: ['/v1/contacts/{id}'],
      },
      status: { ...number, description: 'HTTP status of the response to the caller.' },
      errorCode: text,
      upstreamStatus: {
        ...number,
        description: 'Last HTTP status from the upstream; absent if no request was sent.',
      },
      durationMs: number,
      startedAt: text,
      requestId: text,
      traceId: { ...text, description: 'Trace id of the header traceparent of the call, if it was valid.' },
      serviceVersion: { ...text, description: 'Version of the service that ran the execution.' },
      count: {
        ...number,
        description:
          'Number of equal calls that were refused within one minute, for which this execution stands; otherwise 1.',
      },
    },
    ['id', 'kind', 'status', 'durationMs', 'startedAt', 'requestId', 'serviceVersion', 'count'],
  ),
  EXAMPLE,
);

export const executionCause = named(
  'ExecutionCause',
  closed(
    {
      reason: {
        ...text,
        description:
          'Reason in one word, for example circuit_breaker, queue, refresh or storage for the error unavailable.',
        examples: ['circuit_breaker'],
      },
      fields: {
        type: 'array',
        description: 'Fields of the input that broke a rule, without their values.',
        items: closed({
          field: { ...text, examples: ['query'] },
          rule: { ...text, description: 'Broken rule, for example required.', examples: ['required'] },
        }),
      },
      upstreamCode: {
        ...text,
        description: 'Error code in the response of the upstream.',
        examples: ['rateLimitExceeded'],
      },
      upstreamMessage: {
        ...text,
        description:
          'Error message in the response of the upstream, without secrets and user data, at most 300 characters.',
        examples: ['The daily limit is exceeded'],
      },
      isRest: {
        type: 'boolean',
        description:
          'True if the execution counts the remaining refused calls of a minute. The service stores at most 25 different refused calls of a user, and 300 of an application, as executions of their own.',
      },
    },
    [],
  ),
);

const sentRequest = named(
  'ExecutionRequest',
  closed(
    {
      ms: { ...number, description: 'Milliseconds until the response began or the request failed.' },
      pauseMs: { ...number, description: 'Milliseconds of pause before this retry.' },
      status: { ...number, description: 'HTTP status of the response.' },
      failure: {
        ...text,
        description: 'Reason why the request got no response.',
        examples: ['timeout'],
      },
    },
    ['ms', 'pauseMs'],
  ),
  { ms: 71, pauseMs: 0, status: 200 },
);

const executionDetails = named(
  'ExecutionDetails',
  closed(
    {
      ...execution.properties,
      approvalId: {
        ...text,
        description: 'Approval that the call needed. Absent if the call needed no approval.',
      },
      attempts: {
        ...number,
        description:
          'Number of requests to the upstream: more than one after a retry, or for a tool with several requests.',
      },
      refreshed: { type: 'boolean', description: 'True if the access token was refreshed during the call.' },
      upstreamMs: { ...number, description: "Milliseconds spent waiting for the upstream's responses." },
      waitedMs: {
        ...number,
        description: 'Milliseconds that the call waited for a free slot of the concurrency limit.',
      },
      pausedMs: { ...number, description: 'Milliseconds of pause before retries.' },
      connectedAs,
      cause: {
        ...executionCause,
        description: 'Cause of the failure; absent if `errorCode` says everything.',
      },
      requests: {
        type: 'array',
        items: sentRequest,
        description: 'First ten requests to the upstream, in order.',
      },
    },
    execution.required,
  ),
  { ...EXAMPLE, accountIdentifier: 'ada', attempts: 1, refreshed: false, upstreamMs: 71, waitedMs: 0 },
);

const OWNED = belongingTo('executions');
const facts = {
  ...OWNED,
  identifier: { ...OWNED.identifier, minLength: 1 },
  toolName: { ...text, maxLength: 128, description: 'Lists only executions of the tool with this name.' },
  status: {
    ...number,
    minimum: 100,
    maximum: 599,
    description: 'Lists only executions with this HTTP status of the response to the caller.',
    examples: [502],
  },
  requestId: {
    ...text,
    maxLength: 64,
    description:
      'Lists only executions of the request with this id, from the header svc-request-id or the error.',
    examples: [REQUEST_ID],
  },
  traceId: {
    ...text,
    maxLength: 32,
    description:
      'Lists only executions of the trace with this id: 32 lower-case hexadecimal digits of the header `traceparent`.',
    examples: [TRACE_ID],
  },
  failed: {
    type: 'boolean',
    description:
      'True to list only executions with a status of 400 or higher, or with an interrupted response. Calls that wait for an approval are not failures.',
  },
};

/** Filters of the list of executions. */
export const executionFilters = {
  ...facts,
  order: timeOrder('executions'),
  since: moment,
  until: moment,
};

const listSchema = {
  operationId: 'listExecutions',
  tags: ['executions'],
  summary: 'List executions, newest first',
  description:
    'Lists executions: tool calls and proxied requests, without their bodies, which are not stored. Equal calls that the service refused within one minute share an execution with their count. With a filter for connection, tool, status, trace or failures, each page searches 10,000 executions. A page with fewer than `pageSize` items, even an empty one, may have a `nextPageToken`.',
  querystring: pageQuery(executionFilters),
  response: { 200: pageOf(execution) },
};

const getSchema: FastifySchema = {
  operationId: 'getExecution',
  tags: ['executions'],
  summary: 'Get an execution with its details',
  description:
    'The details say how the time was spent, and the cause of a failure. Inputs and bodies are not stored.',
  errors: ['not_found'],
  params: closed({ executionId: { ...text, maxLength: 128, description: 'Id of the execution.' } }),
  response: { 200: executionDetails },
};

const orNull = { type: ['integer', 'null'] };
/** Schema for the call counters of one interval of the statistics. */
export const statisticsPoint = named(
  'StatisticsPoint',
  closed({
    at: { ...text, description: 'Start of the time step.' },
    calls: number,
    errors: number,
    p50Ms: {
      ...orNull,
      description: 'Approximate median duration; null without calls.',
    },
    p95Ms: { ...orNull, description: 'Approximate 95th percentile of the durations; null without calls.' },
  }),
  { calls: 12, errors: 1, p50Ms: 84, p95Ms: 310 },
);

const statisticsSchema = {
  tags: ['executions'],
  operationId: 'getExecutionStatistics',
  summary: 'Get calls, errors and durations over time',
  description:
    'The response has at most 200 points. A filter other than connectionName counts at most 10,000 executions, the newest first.',
  querystring: closed(
    {
      from: { ...moment, description: 'Start of the period, for example 2026-11-20.' },
      to: { ...moment, description: 'End of the period, for example 2026-11-21T09:00:00Z.' },
      ...facts,
    },
    ['from', 'to'],
  ),
  response: {
    200: named(
      'ExecutionStatistics',
      closed(
        {
          stepSeconds: number,
          countedFrom: {
            ...text,
            description: 'Start of the oldest counted execution, if older ones were not counted.',
          },
          points: { type: 'array', items: statisticsPoint },
        },
        ['stepSeconds', 'points'],
      ),
      { stepSeconds: 3600 },
    ),
  },
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

import type { FastifyPluginAsync } from 'fastify';
import type { ExecutionFilter, ExecutionLog } from '../records/execution-log.js';
import { closed, pageOf, pageQuery } from './list-schema.js';

export interface ExecutionParts {
  readonly executionLog: Pick<ExecutionLog, 'list'>;
}

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

const schema = {
  tags: ['executions'],
  summary: 'List what ran, newest first; bodies are not kept',
  description:
    'A filter looks through 10,000 executions for a page: one that holds less than pageSize, or nothing, may have a nextPageToken and so a next one.',
  querystring: pageQuery({
    connectionName: { ...text, maxLength: 64 },
    toolName: { ...text, maxLength: 128 },
    status: { ...number, minimum: 100, maximum: 599 },
  }),
  response: { 200: pageOf(execution) },
};

/** What ran. Requests must be authenticated by a hook of `app`. */
export const executionRoutes =
  ({ executionLog }: ExecutionParts): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Querystring: ExecutionFilter }>('/executions', { schema }, ({ applicationId, query }) =>
      executionLog.list(applicationId, query),
    );
  };

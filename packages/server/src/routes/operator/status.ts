import type { FastifyInstance } from 'fastify';
import type { ExecutionLog } from '../../records/execution-log.js';
import { closed } from '../list-schema.js';

export interface StatusParts {
  readonly executionLog: Pick<ExecutionLog, 'counts'>;
}

const number = { type: 'integer' };
const status = closed({ executions: closed({ written: number, dropped: number, waiting: number }) });

/** How this instance has fared since its start. Requests must be those of an operator by a hook of `app`. */
export function addStatus(app: FastifyInstance, { executionLog }: StatusParts): void {
  const schema = {
    tags: ['health'],
    summary: 'Count the executions that this instance has written, given up and holds',
    response: { 200: status },
  };
  app.get('/status', { schema }, () => ({ executions: executionLog.counts() }));
}

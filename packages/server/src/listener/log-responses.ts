import type { FastifyInstance } from 'fastify';
import type { Log } from '../log/log.js';
import type { RecordFailedRequest } from './failed-request.js';
import { namedObjects } from './named-objects.js';

export interface ResponseLogOptions {
  readonly log: Log;
  /** Stores each request that was answered with an error. Absent: none are stored. */
  readonly recordFailure?: RecordFailedRequest | undefined;
}

/** Logs each response of Fastify, and records the failed requests. */
export function logResponses(app: FastifyInstance, { log, recordFailure }: ResponseLogOptions): void {
  app.addHook('onResponse', async (request, reply) => {
    const { actor, applicationId, failure: error, id: requestId, method, routeOptions, traceId } = request;
    const route = routeOptions.url ?? 'none';
    const errorCode = reply.getHeader('svc-error')?.toString();
    // A delegated handler logs and records its response itself. A hook that refused the request came before the
    // handler.
    if (routeOptions.config.isDelegated && errorCode === undefined) return;
    if (errorCode !== undefined) {
      const operation = `${method} ${routeOptions.url ?? 'to an unknown path'}`;
      const { body, params, query } = request;
      const objects = namedObjects(params, body, query, error?.details);
      recordFailure?.({ requestId, applicationId, actor, operation, errorCode, error, objects });
    }
    log.request({
      requestId,
      traceId,
      applicationId,
      method,
      route,
      status: reply.raw.statusCode,
      durationMs: Math.round(Math.max(0, reply.elapsedTime - request.waitedMs)),
      errorCode,
    });
  });
}

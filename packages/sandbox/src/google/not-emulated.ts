import type { FastifyInstance } from 'fastify';
import { ApiError, errorBody } from './api-error.js';

interface NotEmulated {
  readonly prefix: string;
  /** Verb and path of each. */
  readonly methods: readonly string[];
}

/** Methods that the real service has and the sandbox does not: they say so. */
export function addNotEmulated(app: FastifyInstance, { prefix, methods }: NotEmulated): void {
  for (const method of methods) {
    const [verb = '', path = ''] = method.split(' ');
    const error = new ApiError(
      501,
      'notImplemented',
      `The sandbox does not emulate ${verb} ${prefix}${path}.`,
    );
    app.route({
      method: verb,
      url: prefix + path,
      handler: (_, reply) => reply.code(501).send(errorBody(error)),
    });
  }
}

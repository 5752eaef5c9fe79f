import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, errorBody } from './api-error.js';

interface NotEmulated {
  readonly prefix: string;
  /** Verbs and path of each: `GET|POST /members`. */
  readonly methods: readonly string[];
}

const notEmulated = ({ method, routeOptions: { url = '' } }: FastifyRequest): ApiError =>
  new ApiError(501, 'notImplemented', `The sandbox does not emulate ${method} ${url.replace('::', ':')}.`);

export function addNotEmulated(app: FastifyInstance, { prefix, methods }: NotEmulated): void {
  for (const method of methods) {
    const [verbs = '', path = ''] = method.split(' ');
    app.route({
      method: verbs.split('|'),
      url: prefix + path,
      handler: (request, reply) => reply.code(501).send(errorBody(notEmulated(request))),
    });
  }
}

/** Paths outside of an API get a page, not the API's error form. */
export function addNotFoundPage(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .type('text/html; charset=UTF-8')
      .send(
        '<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p><b>404.</b> That’s an error.</html>',
      ),
  );
}

import type { FastifyInstance } from 'fastify';

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

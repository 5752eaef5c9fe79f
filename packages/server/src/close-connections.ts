import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets go of callers when the service stops. Who waits for an answer gets it, and is told that the connection ends with it;
 * who waits for nothing would keep a connection, and with it the service, open for as long as they like.
 */
export function closeConnections(app: FastifyInstance): void {
  const answers = new Map<Socket, ServerResponse | undefined>();
  app.server.on('connection', (socket) => {
    answers.set(socket, undefined);
    socket.once('close', () => answers.delete(socket));
  });
  app.addHook('onRequest', ({ socket }, { raw }, done) => {
    if (answers.has(socket)) answers.set(socket, raw);
    done();
  });
  app.addHook('onResponse', ({ socket }, { raw }, done) => {
    if (answers.get(socket) === raw) answers.set(socket, undefined);
    done();
  });
  app.addHook('preClose', async () => {
    for (const [socket, answer] of answers) {
      if (answer === undefined) {
        socket.destroy();
        continue;
      }
      answer.shouldKeepAlive = false;
      answer.once('finish', () => socket.end());
    }
  });
}

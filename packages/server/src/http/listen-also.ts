import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import type { ListenAddress } from './probe-address.js';

/**
 * Listens at a second address, and passes its connections to `server`, so that the server's limits apply to both
 * addresses.
 */
export function listenAlso(server: Server, { host, port }: ListenAddress): Promise<NetServer> {
  // Sets the options that Node.js sets for sockets of an HTTP server, so that both addresses behave in the same way.
  const listener = createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: 65_536 }, (socket) =>
    server.emit('connection', socket),
  );
  return new Promise((resolve, reject) => {
    listener
      .once('error', reject)
      .listen({ host, port, exclusive: true }, () => resolve(listener.off('error', reject)));
  });
}

import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import type { ListenAddress } from './probe-address.js';

/** Accepts connections at a second address and passes them to `server`, so that its limits apply to both addresses. */
export function listenAlso(server: Server, { host, port }: ListenAddress): Promise<NetServer> {
  // Socket options that Node.js sets for connections of an HTTP server. The second listening address must behave like
  // the first.
  const listener = createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: 65_536 }, (socket) =>
    server.emit('connection', socket),
  );
  return new Promise((resolve, reject) => {
    listener
      .once('error', reject)
      .listen({ host, port, exclusive: true }, () => resolve(listener.off('error', reject)));
  });
}

import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import type { ListenAddress } from './probe-address.js';

/** Accepts connections at a second address and hands them to the same HTTP server, whose limits apply to both. */
export function listenAlso(server: Server, { host, port }: ListenAddress): Promise<NetServer> {
  // Same socket options as those that Node's HTTP server sets for its own connections.
  const listener = createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: 65_536 }, (socket) =>
    server.emit('connection', socket),
  );
  return new Promise((resolve, reject) => {
    listener
      .once('error', reject)
      .listen({ host, port, exclusive: true }, () => resolve(listener.off('error', reject)));
  });
}

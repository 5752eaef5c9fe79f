import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import type { ListenAddress } from './probe-address.js';

/** Accepts connections at another address too. The same server answers them, within the same bounds. */
export function listenAlso(server: Server, { host, port }: ListenAddress): Promise<NetServer> {
  // The options of Node's HTTP server.
  const listener = createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: 65_536 }, (socket) =>
    server.emit('connection', socket),
  );
  return new Promise((resolve, reject) => {
    listener
      .once('error', reject)
      .listen({ host, port, exclusive: true }, () => resolve(listener.off('error', reject)));
  });
}

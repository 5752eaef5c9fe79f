import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import type { ListenAddress } from './probe-address.js';

/** Lets callers in at another address too: the same server answers them, and holds them to the same bounds. */
export function listenAlso(server: Server, { host, port }: ListenAddress): Promise<NetServer> {
  // As Node's own server lets them in.
  const door = createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: 65_536 }, (socket) =>
    server.emit('connection', socket),
  );
  return new Promise((resolve, reject) => {
    door
      .once('error', reject)
      .listen({ host, port, exclusive: true }, () => resolve(door.off('error', reject)));
  });
}

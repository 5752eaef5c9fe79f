import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const DELAY_MS = 30;
const PIECE = 256;
const PIECE_MS = 5;
const CUT_AFTER = 160;

/** Copies the bytes of one socket to the other. */
type Transfer = (from: Socket, to: Socket) => Promise<unknown>;

const transfer: Transfer = async (from, to) => {
  for await (const chunk of from) if (!to.write(chunk)) await once(to, 'drain');
  to.end();
};

/** Network faults that the proxy can apply to a response, by name. */
export const FAULTS = {
  latency: async (from, to) => {
    for await (const chunk of from) {
      await wait(DELAY_MS);
      to.write(chunk);
    }
    to.end();
  },
  timeout: async (from) => from.resume(),
  reset: async (from, to) => {
    await once(from, 'data');
    to.resetAndDestroy();
  },
  'slow close': async (from, to) => {
    const [chunk] = await once(from, 'data');
    to.write(chunk.subarray(0, -1));
    from.resume();
  },
  'cut after some bytes': async (from, to) => {
    const [chunk] = await once(from, 'data');
    to.end(chunk.subarray(0, CUT_AFTER));
  },
  'little bandwidth': async (from, to) => {
    for await (const chunk of from) {
      for (let sent = 0; sent < chunk.length; sent += PIECE) {
        await wait(PIECE_MS);
        to.write(chunk.subarray(sent, sent + PIECE));
      }
    }
    to.end();
  },
  down: async (_from, to) => to.resetAndDestroy(),
} as const satisfies Readonly<Record<string, Transfer>>;

export type Fault = keyof typeof FAULTS;

export interface FaultyProxy {
  readonly origin: string;
  /** Applies a network fault from the next response on. `undefined` ends the fault. */
  readonly spoil: (fault: Fault | undefined) => void;
  readonly stop: () => void;
}

/** Starts a TCP proxy in front of `target`. It forwards everything until `spoil` applies a fault to the responses. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname: host, port } = new URL(target);
  const sockets = new Set<Socket>();
  let fault: Fault | undefined;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const listener = createServer((client) => {
    const server = connect({ host, port: Number(port) });
    track(client);
    track(server);
    server.once('close', () => fault === undefined && client.end());
    client.once('close', () => server.destroy());
    const back: Transfer = fault === undefined ? transfer : FAULTS[fault];
    for (const way of [transfer(client, server), back(server, client)]) way.catch(() => undefined);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    spoil: (next) => {
      fault = next;
      // Kept-alive connections are closed, because a fault applies only to connections opened after it.
      dropAll();
    },
    stop: () => {
      dropAll();
      listener.close();
    },
  };
}

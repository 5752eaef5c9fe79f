import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 250;

export interface Balancer {
  readonly url: string;
  readonly port: number;
  /** Sets the ports of the instances that share new connections. */
  readonly share: (ports: readonly number[]) => void;
  /** Resolves when the instance on this port is ready and gets new connections. */
  readonly reaches: (port: number) => Promise<void>;
  readonly stop: () => void;
}

async function isReady(port: number): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  await reply?.text();
  return reply?.ok === true;
}

/**
 * Starts a TCP round-robin load balancer. It polls `/readyz` every 250 ms and gives new connections only to ready
 * instances.
 */
export async function startBalancer(): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let ports: readonly number[] = [];
  let ready: readonly number[] = [];
  let count = 0;
  let isStopped = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    track(client);
    count += 1;
    const port = ready[count % ready.length];
    if (port === undefined) return void client.destroy();
    const server = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    track(server);
    client.pipe(server).pipe(client);
    server.once('error', () => client.resetAndDestroy());
    client.once('error', () => server.destroy());
  });
  const look = async () => {
    const checked = ports;
    const results = await Promise.all(checked.map(isReady));
    ready = checked.filter((_, index) => results[index]);
  };
  const pollHealth = async () => {
    for (; !isStopped; await wait(LOOK_MS)) await look();
  };
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  void pollHealth();
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    port,
    share: (given) => {
      ports = given;
    },
    reaches: async (wanted) => {
      while (!ready.includes(wanted) && !isStopped) await wait(LOOK_MS);
    },
    stop: () => {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `request`: pauses before the upstream receives the request. `response`: pauses before the caller gets the response.
 */
export type Moment = 'request' | 'response';

export interface Pause {
  readonly paused: Promise<void>;
  readonly release: () => void;
}

/** Request that the gate has forwarded, with its response. Secrets are not masked. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly sent: string;
  readonly received: string;
}

/** HTTP proxy before an upstream. Forwards everything, and pauses single requests at the moment that a test names. */
export interface Gate {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** Pauses the next request whose path ends with `path`. `skip` requests (default 0) pass first. */
  readonly pause: (path: string, moment: Moment, options?: { readonly skip?: number }) => Pause;
  readonly stop: () => Promise<void>;
}

interface Plan {
  readonly path: string;
  readonly moment: Moment;
  readonly onPaused: () => void;
  readonly released: Promise<void>;
  /** Number of matching requests that still pass before the gate pauses one. */
  skip: number;
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function forward(upstream: string, message: IncomingMessage, body: Buffer): Promise<Response> {
  const {
    host: _,
    connection: __,
    'content-length': ___,
    'accept-encoding': ____,
    ...headers
  } = message.headers;
  return fetch(upstream + message.url, {
    method: message.method ?? 'GET',
    headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    redirect: 'manual',
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
}

export async function startGate(upstream: string): Promise<Gate> {
  const plans: Plan[] = [];
  const exchanges: Exchange[] = [];

  function takePlan(path: string): Plan | undefined {
    const index = plans.findIndex((plan) => path.endsWith(plan.path));
    const plan = plans[index];
    if (plan === undefined || plan.skip-- > 0) return undefined;
    plans.splice(index, 1);
    return plan;
  }

  async function wait(plan: Plan | undefined, moment: Moment): Promise<void> {
    if (plan?.moment !== moment) return;
    plan.onPaused();
    await plan.released;
  }

  async function pass(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = message;
    const [path = ''] = (message.url ?? '').split('?');
    const sent = await read(message);
    const plan = takePlan(path);
    await wait(plan, 'request');
    // Drops the request if its caller was killed during the pause, because the upstream must never receive it.
    if (response.destroyed) return;
    const reply = await forward(upstream, message, sent);
    const received = Buffer.from(await reply.arrayBuffer());
    const authorization = headers.authorization ?? '';
    exchanges.push({ method, path, authorization, sent: sent.toString(), received: received.toString() });
    await wait(plan, 'response');
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(received);
  }

  const server = createServer((message, response) => {
    pass(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    pause(path, moment, { skip = 0 } = {}) {
      const paused = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      plans.push({ path, moment, onPaused: paused.resolve, released: released.promise, skip });
      return { paused: paused.promise, release: released.resolve };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

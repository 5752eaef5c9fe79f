import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { createClock } from './clock.js';
import { addControlRoutes } from './control-routes.js';
import { createControls } from './controls.js';
import { mountUpstream } from './mount.js';
import { createRecorder } from './recorder.js';
import type { Sandbox } from './sandbox.js';
import type { Upstream } from './upstream.js';
import { UPSTREAMS } from './upstreams/upstreams.js';

/** How to start a sandbox. */
export interface SandboxOptions {
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  port?: number;
  /** Ids of the upstreams to emulate; all by default. */
  connectors?: readonly string[];
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;
// Node's own 5 s would close connections that a caller still counts on after a pause.
const KEEP_ALIVE_MS = 75_000;

/** Starts the emulated upstreams on one port of this machine. */
export async function startSandbox({ port = 0, connectors }: SandboxOptions = {}): Promise<Sandbox> {
  const definitions = chosen(connectors);
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // The port is part of every issuer, so it must be known before the authorization servers are made.
  const url = await listen(server, port);
  const app = createApp(server, (handler) => {
    listener = handler;
  });

  const clock = createClock();
  const recorder = createRecorder();
  const mounted = definitions.map((definition) => mountUpstream(app, definition, { url, clock, recorder }));
  const controls = createControls({ url, mounted, clock, recorder });
  addControlRoutes(app, controls);
  await app.ready();
  return { ...controls, stop: () => close(server, app) };
}

function chosen(connectors: readonly string[] | undefined): readonly Upstream[] {
  if (connectors === undefined) return UPSTREAMS;
  const known = UPSTREAMS.map(({ id }) => id);
  const unknown = connectors.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new Error(`There is no sandbox for "${unknown}". Known: ${known.join(', ')}.`);
  return UPSTREAMS.filter(({ id }) => connectors.includes(id));
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new Error(`Port ${port} of 127.0.0.1 cannot be used: stop what holds it, or choose another.`, {
          cause,
        }),
      );
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string')
        return reject(new Error('The server has no port.'));
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

function createApp(server: Server, attach: (handler: RequestListener) => void): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 2048 },
    serverFactory(handler) {
      attach(handler);
      return server;
    },
  });
  // Every upstream reads bodies in its own way, errors included.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  return app;
}

async function close(server: Server, app: FastifyInstance): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await app.close();
  await closed;
}

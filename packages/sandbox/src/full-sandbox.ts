import { randomUUID } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { createClock } from './clock.js';
import { addControlRoutes } from './control-routes.js';
import { createControls } from './controls.js';
import { mountUpstream } from './mount.js';
import { openGrantFile } from './oauth/grant-file.js';
import { createRecorder } from './recorder.js';
import type { KnownClient } from './sandbox.js';
import { UPSTREAMS } from './upstreams/upstreams.js';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

interface FullOptions {
  readonly server: Server;
  readonly url: string;
  readonly ids: readonly string[];
  readonly clients: readonly KnownClient[];
  readonly grantFile: string | undefined;
  readonly hasOwnLimits: boolean;
}

export type FullSandbox = Awaited<ReturnType<typeof createFullSandbox>>;

export async function createFullSandbox(options: FullOptions) {
  const { server, url, ids, clients, grantFile, hasOwnLimits } = options;
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  const app = createApp(server, (handler) => {
    listener = handler;
  });
  const clock = createClock();
  const recorder = createRecorder();
  const grants = openGrantFile(grantFile);
  const mounted = UPSTREAMS.filter(({ id }) => ids.includes(id)).map((definition) =>
    mountUpstream(app, definition, { url, clock, recorder, grants, hasOwnLimits }),
  );
  const controls = createControls({ url, mounted, clock, recorder });
  addControlRoutes(app, controls);
  for (const client of clients) await controls.knowClient(client);
  await app.ready();
  return {
    controls,
    listener,
    close: async () => {
      await app.close();
      grants.save();
    },
  };
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
  // Each emulated service parses bodies itself, because each has its own error responses for malformed bodies.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  return app;
}

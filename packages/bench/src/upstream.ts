/**
 * Upstream of the benchmark. Runs in a separate process. One port sends small responses cheaply, one sends large
 * bodies, and one is the token endpoint of an authorization server.
 */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { handleJobs } from './job-process.ts';

/** Origins of the three upstream servers. */
export interface Upstream {
  /** Origin that responds to every GET with a fixed body of 1 kB. */
  readonly small: string;
  /**
   * Origin for large bodies. It responds to a GET with as many bytes as the last path segment says, and to an upload
   * with the number of uploaded bytes.
   */
  readonly large: string;
  /** Origin that responds to every request with a new access token and a new refresh token. */
  readonly tokens: string;
}

const KIB = 1024;
const BODY = JSON.stringify({ items: 'x'.repeat(KIB - 12) });
const SMALL = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);
const CHUNK = Buffer.alloc(64 * KIB, 'x');

/**
 * Sends a response for every received chunk without parsing it, because the load generator writes each request as one
 * chunk.
 */
const small = createServer({ noDelay: true }, (socket) => {
  socket.on('data', () => socket.write(SMALL)).on('error', () => undefined);
});

function* chunks(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, Math.min(left, CHUNK.length));
}

const sendBytes = (reply: ServerResponse, size: number) =>
  pipeline(Readable.from(chunks(size), { highWaterMark: 1 }), reply.setHeader('content-length', size));

const large = createHttpServer(async (request, reply) => {
  if (request.method === 'GET') {
    const size = Number(request.url?.split('/').at(-1));
    if (size <= CHUNK.length) reply.setHeader('content-length', size).end(CHUNK.subarray(0, size));
    else await sendBytes(reply, size).catch(() => undefined);
    return;
  }
  let received = 0;
  for await (const chunk of request) received += chunk.length;
  reply.end(String(received));
});

const tokens = createHttpServer((request, reply) => {
  const body = {
    access_token: randomUUID(),
    refresh_token: randomUUID(),
    token_type: 'bearer',
    expires_in: 3600,
  };
  request.resume().once('end', () => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
});

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });

handleJobs(
  async (): Promise<Upstream> => ({
    small: await listen(small),
    large: await listen(large),
    tokens: await listen(tokens),
  }),
);

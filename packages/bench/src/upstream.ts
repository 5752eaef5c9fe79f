/**
 * The upstream of a run, a process of its own: one port that answers every small request alike and as cheaply as can be, and
 * one with a whole server for what is large. Neither is measured.
 */
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { answerJobs } from './job-process.ts';

/** Origins. */
export interface Upstream {
  /** Answers every GET with the same kB. */
  readonly small: string;
  /** Sends as many bytes as the path ends with, and counts those that it is sent. */
  readonly large: string;
}

const KIB = 1024;
const BODY = JSON.stringify({ items: 'x'.repeat(KIB - 12) });
const SMALL = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);
const CHUNK = Buffer.alloc(64 * KIB, 'x');

/** Every request that comes here is one head without a body, in one piece. */
const small = createServer({ noDelay: true }, (socket) => {
  socket.on('data', () => socket.write(SMALL)).on('error', () => undefined);
});

function* chunks(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, Math.min(left, CHUNK.length));
}

const sendBytes = (reply: ServerResponse, size: number) =>
  pipeline(Readable.from(chunks(size), { highWaterMark: 1 }), reply.setHeader('content-length', size));

/** The last segment of the path says how many bytes to send; a body is counted. */
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

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const origin = async (server: Server): Promise<string> => `http://127.0.0.1:${await listen(server)}`;

answerJobs(async (): Promise<Upstream> => ({ small: await origin(small), large: await origin(large) }));

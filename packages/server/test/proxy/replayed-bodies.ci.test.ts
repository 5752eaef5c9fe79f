import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type GatedService, startGatedService } from '../support/processes/gated-service.js';
import { newPort } from '../support/processes/new-port.js';
import { connectAccount } from '../support/service/service.js';

const MIB = 2 ** 20;
const TOKEN_PATH = '/v1/oauth/token';

interface Received {
  readonly token: string | undefined;
  readonly bytes: number;
  readonly digest: string;
}

const received: Received[] = [];
let refusals = 0;
let tokenRequests = 0;
let service: GatedService;
let upstream: Server;

const digestOf = (body: Buffer) => createHash('sha256').update(body).digest('hex');

beforeAll(async () => {
  const port = await newPort();
  upstream = createServer(async (request, reply) => {
    const body = await buffer(request);
    received.push({ token: request.headers.authorization, bytes: body.length, digest: digestOf(body) });
    const isRefused = refusals > 0;
    refusals -= Number(isRefused);
    reply.writeHead(isRefused ? 401 : 200, { 'content-type': 'text/plain' });
    reply.end(isRefused ? `refused ${received.length}` : digestOf(body));
  });
  await new Promise<void>((resolve) => upstream.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${port}`;
  service = await startGatedService(['workspace'], { origins: [`workspace=${origin}`] });
  // The base URL changes before an account exists, because credentials of an existing account would stay bound to its
  // origin.
  await service.application.call('PATCH', '/v1/connections/workspace', { body: { baseUrl: origin } });
  await connectAccount(service, 'workspace');
}, 60_000);

afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
  await service.stop();
});

const refreshes = () => service.gate.exchanges.filter(({ path }) => path.endsWith(TOKEN_PATH)).length;

beforeEach(() => {
  received.length = 0;
  tokenRequests = refreshes();
});

async function post(body: Buffer | ReadableStream, user = 'user_42') {
  const response = await fetch(`${service.url}/v1/proxy/workspace/${user}/v1/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.application.accessToken}` },
    body,
    duplex: 'half',
  });
  return { status: response.status, own: response.headers.get('svc-error'), text: await response.text() };
}

/** Returns a body with varying bytes, so that a digest detects reordered parts. */
const bodyOf = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 31) % 251));
const sentRequests = () => ({ upstream: received.length, tokens: refreshes() - tokenRequests });

test('R10: a body of 1 MiB is buffered and resent with a new token after a 401', async () => {
  refusals = 1;
  const body = bodyOf(MIB);

  expect(await post(body)).toEqual({ status: 200, own: null, text: digestOf(body) });

  expect(sentRequests()).toEqual({ upstream: 2, tokens: 1 });
  expect(received.map(({ bytes, digest }) => [bytes, digest])).toEqual(Array(2).fill([MIB, digestOf(body)]));
  expect(new Set(received.map(({ token }) => token)).size).toBe(2);
});

test.each([
  { title: 'of 1 MiB and one byte', body: () => bodyOf(MIB + 1), bytes: MIB + 1 },
  { title: 'of unknown length', body: () => Readable.toWeb(Readable.from([bodyOf(10)])), bytes: 10 },
])('R10: a body $title is streamed and sent once, and its 401 is returned', async ({ body, bytes }) => {
  refusals = 1;

  expect(await post(body())).toEqual({ status: 401, own: null, text: 'refused 1' });

  expect(sentRequests()).toEqual({ upstream: 1, tokens: 1 });
  expect(received.map((request) => request.bytes)).toEqual([bytes]);

  expect(await post(body())).toMatchObject({ status: 200 });
  expect(sentRequests()).toEqual({ upstream: 2, tokens: 1 });
});

test.each([
  { title: 'without a body', body: Buffer.alloc(0), user: 'ada' },
  { title: 'with a body of 1 MiB', body: bodyOf(MIB), user: 'grace' },
])('R10: a second 401 is returned after one token request: $title', async ({ body, user }) => {
  await connectAccount(service, 'workspace', user);
  tokenRequests = refreshes();
  refusals = 2;

  expect(await post(body, user)).toEqual({ status: 401, own: null, text: 'refused 2' });

  expect(sentRequests()).toEqual({ upstream: 2, tokens: 1 });
  expect(received.map(({ bytes }) => bytes)).toEqual([body.length, body.length]);
});

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { TIMED } from '../../test/support/processes/cpu-of.js';
import { createAgent } from './agent.js';
import { createSend } from './send-http.js';

const isFull = process.env['SVC_TEST_FULL'] === '1';
const connector = 'calendar';

/**
 * Sends a request with a timeout of 10 minutes, so that only the HTTP client's default timeouts can end it. Returns the
 * request's error.
 */
async function failure(scheme: 'http' | 'https', play: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    play(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = createAgent({ allowedOrigins: [{ connector, origin }] });
  onTestFinished(async () => {
    await agent.destroy();
    server.close();
  });
  const begun = performance.now();
  const request = { owner: 'app_1', connector, origin, path: '/', method: 'GET', headers: [] };
  const sent = createSend(agent)({ ...request, totalMs: 600_000 }).then(({ body }) => text(body.stream()));
  const error = await sent.catch((reason: unknown) => reason);
  return { error, seconds: (performance.now() - begun) / 1000 };
}

const answering = (bytes: string) => (socket: Socket) => void socket.once('data', () => socket.write(bytes));

test.each([
  { title: 'a connection, including TLS, within 5 s', scheme: 'https', limit: 5, play: () => undefined },
  ...(isFull
    ? ([
        { title: 'the first byte within 30 s', scheme: 'http', limit: 30, play: () => undefined },
        {
          title: 'the next byte within 30 s',
          scheme: 'http',
          limit: 30,
          play: answering('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nbegun'),
        },
      ] as const)
    : []),
] as const)(
  'P10: a request times out without $title',
  { timeout: 120_000, ...TIMED },
  async ({ scheme, limit, play }) => {
    const { error, seconds } = await failure(scheme, play);
    expect(error).toMatchObject({ code: 'upstream_timeout' });
    expect(seconds).toBeGreaterThan(limit - 1);
    expect(seconds).toBeLessThan(limit * 1.5);
  },
);

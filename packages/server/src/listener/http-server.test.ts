import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../test/support/service/create-app.js';
import { createCallers } from '../caller.js';
import { createLog } from '../log/log.js';
import { createHttpServer } from './http-server.js';

const OPTIONS = {
  log: createLog('silent'),
  environmentUrl: 'http://localhost',
  trustedProxies: [],
  version: '0.0.0',
  callers: createCallers(),
};
const app = await createHttpServer(OPTIONS);
let port = 0;
beforeAll(async () => {
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

// Emits the timeout error directly, because Node.js checks request timeouts only every 30 s.
const runOutOfTime = (socket: Socket) =>
  app.server.emit(
    'clientError',
    Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
    socket,
  );

test.each([
  { what: 'an invalid request', sent: 'hello\r\n\r\n', status: '400 Bad Request', code: 'invalid_request' },
  {
    what: 'a header section above 16 KiB',
    sent: `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`,
    status: '431 Request Header Fields Too Large',
    code: 'headers_too_large',
  },
  {
    what: 'an incomplete request after the timeout',
    sent: 'GET / HTTP/1.1\r\n',
    status: '408 Request Timeout',
    code: 'request_timeout',
  },
])('$what gets $status, and the connection closes', async ({ sent, status, code }) => {
  if (code === 'request_timeout') app.server.once('connection', runOutOfTime);
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(expect.arrayContaining([`HTTP/1.1 ${status}`, `svc-error: ${code}`]));
  expect(JSON.parse(body)).toEqual({
    error: { code, message: expect.any(String), requestId: expect.stringMatching(/^req_/) },
  });
});

test.each([
  { environmentUrl: 'https://svc.example.com', policy: 'max-age=31536000' },
  { environmentUrl: 'http://localhost:4400', policy: undefined },
])(
  'D2: every response of $environmentUrl has the HSTS policy $policy',
  async ({ environmentUrl, policy }) => {
    const other = await createHttpServer({ ...OPTIONS, environmentUrl });
    onTestFinished(() => other.close());
    const { port: own } = new URL(await other.listen({ port: 0, host: '127.0.0.1' }));
    for (const sent of ['GET /openapi.json', 'GET /nowhere', 'GET /%', 'hello']) {
      const socket = connect(Number(own), '127.0.0.1');
      socket.write(`${sent} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      const [, header] = /strict-transport-security: (.*)\r\n/.exec(await text(socket)) ?? [];
      expect([sent, header]).toEqual([sent, policy]);
    }
  },
);

const nothing = async () => ({});

const createWithRoutes = () =>
  createApp(async (app) => {
    app.get('/v1/things', nothing);
    app.post('/v1/things', nothing);
    app.delete('/v1/things/:name', nothing);
    app.get('/pages/*', nothing);
  });

test.each([
  { method: 'DELETE', url: '/v1/things', allow: 'GET, POST' },
  { method: 'HEAD', url: '/v1/things?a=/v1/things/b', allow: 'GET, POST' },
  { method: 'OPTIONS', url: '/v1/things/a%2Fb', allow: 'DELETE' },
  { method: 'PUT', url: '/pages/a/b', allow: 'GET' },
  { method: 'GET', url: '/v1/things/', allow: undefined },
  { method: 'GET', url: '/v1/things/a/b', allow: undefined },
  { method: 'GET', url: '/v1', allow: undefined },
  { method: 'POST', url: '/pages', allow: undefined },
] as const)('$method $url: $allow', async ({ method, url, allow }) => {
  const reply = await (await createWithRoutes()).inject({ method, url });
  const [status, code] = allow === undefined ? [404, 'not_found'] : [405, 'method_not_allowed'];
  expect([reply.statusCode, reply.headers['svc-error'], reply.headers.allow]).toEqual([status, code, allow]);
  if (method === 'HEAD') return;
  expect(reply.json().error).toMatchObject({ code, message: expect.any(String) });
  expect(reply.json().error.details).toEqual(allow && { allow: allow.split(', ') });
});

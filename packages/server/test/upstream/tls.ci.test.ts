import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  newDataFolder,
  newSettings,
  type RunOptions,
  runService,
  startProcess,
} from '../support/processes/service-process.js';
import { signIn } from '../support/service/application.js';
import { SELF_SIGNED } from '../support/upstreams/self-signed.js';

const SLOW = { timeout: 180_000 };

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Starts an HTTPS upstream with a self-signed certificate. */
async function startUpstream() {
  const requests: string[] = [];
  const server = createServer(SELF_SIGNED, (request, reply) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    reply.end('reached');
  });
  return { requests, origin: `https://localhost:${await listen(server)}` };
}

/** Starts a service process with this environment, and sends a call through its proxy to the upstream. */
async function callWith(env: NonNullable<RunOptions['env']>, origin: string) {
  const settings = await newSettings({ flags: ['--allowed-origins', `convintel=${origin}`], env });
  const service = await startProcess(settings);
  onTestFinished(service.kill);
  const { call } = await signIn(service);
  const body = { connectionName: 'own', connector: 'convintel', baseUrl: origin };
  await call('POST', '/v1/connections', { body });
  const key = { bearerToken: 'a-secret-token', verify: false };
  await call('PUT', '/v1/connections/own/accounts/ada', { body: key });
  return { service, reply: await call('GET', '/v1/proxy/own/ada/v1/x') };
}

let authority = '';
beforeAll(() => {
  const folder = newDataFolder();
  mkdirSync(folder, { recursive: true });
  authority = path.join(folder, 'authority.pem');
  writeFileSync(authority, SELF_SIGNED.cert);
});

test('N2: the environment cannot disable the TLS verification of an upstream', SLOW, async () => {
  const { requests, origin } = await startUpstream();
  const { reply } = await callWith({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, origin);
  expect(reply.json()).toMatchObject({
    error: { code: 'connection_failed', details: { reason: 'tls' } },
  });
  expect(requests).toEqual([]);
});

test(
  'N2: an added certificate authority is trusted, and loopback requests bypass the proxy',
  SLOW,
  async () => {
    const { requests, origin } = await startUpstream();
    const proxied: string[] = [];
    const proxy = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      proxied.push('connection');
      socket.end();
    });
    const url = `http://127.0.0.1:${await listen(proxy)}`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
    const proxies = Object.fromEntries(names.map((name) => [name, url]));
    const env = { ...proxies, NODE_USE_ENV_PROXY: '1', NODE_EXTRA_CA_CERTS: authority };
    const { reply } = await callWith(env, origin);
    expect([reply.status, reply.text]).toEqual([200, 'reached']);
    expect(requests).toEqual(['GET /v1/x Bearer a-secret-token']);
    expect(proxied).toEqual([]);
  },
);

test('N2: the environment cannot disable the TLS verification of the database', SLOW, async () => {
  const received: Buffer[] = [];
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    // Responds to the TLS request, which PostgreSQL clients send first. The byte `S` accepts TLS.
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, ...SELF_SIGNED });
      secure.on('error', () => undefined).on('data', (chunk) => received.push(chunk));
    });
  });
  const database = `postgres://svc:a-secret-password@localhost:${await listen(server)}/svc?sslmode=verify-full`;
  const { ended } = runService({
    flags: ['--data', newDataFolder()],
    env: { NODE_TLS_REJECT_UNAUTHORIZED: '0', DATABASE_URL: database },
  });
  expect((await ended).code).toBe(1);
  expect(Buffer.concat(received).toString()).toBe('');
});

test('the environment cannot enable the insecure HTTP parser', SLOW, async () => {
  const service = await startProcess(await newSettings({ env: { NODE_OPTIONS: '--insecure-http-parser' } }));
  onTestFinished(service.kill);
  const socket = connect(service.port, 'localhost');
  socket.write(
    'POST /oauth/token HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  );
  expect(await text(socket)).toContain(
    'This is not a valid HTTP request. Check the HTTP client and the URL.',
  );
});

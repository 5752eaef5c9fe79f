import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  newDataFolder,
  newSettings,
  runService,
  startProcess,
} from '../support/processes/service-process.js';
import { signIn } from '../support/service/application.js';
import { SELF_SIGNED } from '../support/upstreams/self-signed.js';

const SLOW = { timeout: 180_000 };
/** Origin without a DNS record: only requests through the proxy reach the upstream. */
const ORIGIN = 'https://upstream.example:8443';
const CREDENTIALS = 'svc:p%40ss5%';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Starts a TLS upstream, and an HTTP proxy that requires a password and tunnels every target to the upstream. */
async function startProxy() {
  const requests: string[] = [];
  const port = await listen(
    createTlsServer(SELF_SIGNED, (request, reply) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      reply.end('reached');
    }),
  );
  const targets: string[] = [];
  const proxy = createServer().on('connect', (request, client) => {
    client.on('error', () => undefined);
    targets.push(request.url ?? '');
    if (request.headers['proxy-authorization'] !== `Basic ${btoa('svc:p@ss5%')}`)
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    return upstream.on('error', () => client.destroy());
  });
  return { requests, targets, host: `127.0.0.1:${await listen(proxy)}` };
}

let authority = '';
beforeAll(() => {
  const folder = newDataFolder();
  mkdirSync(folder, { recursive: true });
  authority = path.join(folder, 'authority.pem');
  writeFileSync(authority, SELF_SIGNED.cert);
});

/** Starts a service with these environment variables, and sends one request to the upstream through the service. */
async function callWith(env: Readonly<Record<string, string>>, baseUrl = ORIGIN) {
  const service = await startProcess(
    await newSettings({
      flags: ['--allowed-origins', `convintel=${baseUrl}`],
      env: { NODE_EXTRA_CA_CERTS: authority, ...env },
    }),
  );
  onTestFinished(service.kill);
  const { call } = await signIn(service);
  await call('POST', '/v1/connections', { body: { connectionName: 'own', connector: 'convintel', baseUrl } });
  const key = { bearerToken: 'a-secret-token', verify: false };
  await call('PUT', '/v1/connections/own/accounts/ada', { body: key });
  return { service, reply: await call('GET', '/v1/proxy/own/ada/v1/x') };
}

const refused = (message: RegExp) => ({
  error: {
    code: 'connection_failed',
    message: expect.stringMatching(message),
    details: { reason: 'egress_proxy' },
  },
});

test.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])(
  'requests go through the proxy of %s',
  SLOW,
  async (name) => {
    const { requests, targets, host } = await startProxy();
    const { service, reply } = await callWith({ [name]: `http://${CREDENTIALS}@${host}` });
    expect([reply.status, reply.text]).toEqual([200, 'reached']);
    expect(requests).toEqual(['GET /v1/x Bearer a-secret-token']);
    expect(targets).toEqual(['upstream.example:8443']);
    expect(service.stdout()).toContain(`${name.toUpperCase()} is set, so the proxy ${host} resolves`);
    expect(service.stdout()).not.toContain(CREDENTIALS);
  },
);

test('the error names a proxy that refuses the password, and the upstream gets nothing', SLOW, async () => {
  const { requests, host } = await startProxy();
  const { reply } = await callWith({ HTTPS_PROXY: `http://svc:wrong@${host}` });
  expect(reply.json()).toMatchObject(refused(/^The egress proxy .+ refused its user name or password\./));
  expect(requests).toEqual([]);
});

test('the error names a proxy that is down', SLOW, async () => {
  const { reply } = await callWith({ HTTPS_PROXY: '127.0.0.1:1' });
  expect(reply.json()).toMatchObject(refused(/^The egress proxy .+ cannot be reached\./));
});

test('NO_PROXY exempts an upstream', SLOW, async () => {
  const { targets, host } = await startProxy();
  const { reply } = await callWith({ HTTPS_PROXY: `http://${CREDENTIALS}@${host}`, NO_PROXY: 'example' });
  expect(reply.json()).toMatchObject({ error: { details: { reason: 'unknown_host' } } });
  expect(targets).toEqual([]);
});

test('--check names the proxy and its required rules, without its password', SLOW, async () => {
  const env = { HTTPS_PROXY: `http://${CREDENTIALS}@proxy.example:3128`, SVC_DATA: newDataFolder() };
  const { stdout } = await runService({ flags: ['--check'], env }).ended;
  expect(stdout).toMatch(/HTTPS_PROXY is set, so the proxy proxy\.example:3128 .+ private addresses\./);
  expect(stdout).not.toContain('p%40ss');
});

test.each(['socks5://proxy.example:1080', 'http://', 'http://user:p@ss:word@'])(
  'HTTPS_PROXY=%s is refused and not printed',
  SLOW,
  async (value) => {
    const { code, stderr } = await runService({ env: { HTTPS_PROXY: value } }).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'HTTPS_PROXY is not the URL of an HTTP proxy. Set it to one such as http://proxy.example.com:3128.\n',
    });
  },
);

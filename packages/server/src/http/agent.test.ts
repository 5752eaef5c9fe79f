import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { SELF_SIGNED } from '../../test/support/upstreams/self-signed.js';
import { createAgent } from './agent.js';
import { createCheckedLookup } from './checked-lookup.js';
import { createSend } from './send-http.js';

const seen: string[] = [];
const upstream = createServer((request, reply) => {
  seen.push(request.url ?? '');
  reply.end('ok');
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => upstream.close());
beforeEach(() => {
  seen.length = 0;
});

const get = (target: string, connector?: string) => ({
  owner: 'app_1',
  connector,
  origin: target,
  path: '/',
  method: 'GET',
  headers: [],
  totalMs: 2_000,
});
const sendWith = (addresses: readonly string[], ownAddresses: readonly string[] = []) =>
  createSend(
    createAgent({
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ownAddresses: () => ownAddresses,
    }),
  );

test.each([
  { title: 'one private address', addresses: ['10.0.0.1'] },
  { title: 'loopback', addresses: ['127.0.0.1'] },
  { title: 'IPv6 loopback', addresses: ['::1'] },
  { title: 'a metadata service', addresses: ['169.254.169.254'] },
  { title: 'a public and a private address', addresses: ['8.8.8.8', '192.168.0.1'] },
  { title: 'a private and a public address', addresses: ['fd00::1', '2606:4700::1111'] },
  { title: 'a mapped loopback address', addresses: ['::ffff:127.0.0.1'] },
  { title: 'a NAT64 form of a private address', addresses: ['64:ff9b::10.0.0.1'] },
  { title: 'a zone id', addresses: ['fe80::1%eth0'] },
  { title: 'the unspecified address', addresses: ['0.0.0.0'] },
  { title: 'the IPv6 unspecified address', addresses: ['::'] },
  { title: 'carrier-grade NAT', addresses: ['100.64.0.1'] },
  { title: 'a 6to4 address', addresses: ['2002:a00:1::1'] },
  { title: 'a Teredo address', addresses: ['2001:0:7f00:1::1'] },
  { title: 'an IPv4-compatible address', addresses: ['::10.0.0.1'] },
  { title: 'a site-local address', addresses: ['fec0::1'] },
  { title: 'a multicast address', addresses: ['224.0.0.1'] },
  { title: 'broadcast', addresses: ['255.255.255.255'] },
  { title: 'an invalid address', addresses: ['localhost'] },
  { title: 'no address at all', addresses: [] },
])('N2, N3: refuses a name that resolves to $title', async ({ addresses }) => {
  await expect(sendWith(addresses)(get('https://upstream.example'))).rejects.toMatchObject({
    code: 'connection_failed',
    details: { reason: 'blocked_address' },
  });
});

test('N3: refuses a name that resolves to the service itself', async () => {
  await expect(sendWith(['8.8.4.4'], ['8.8.4.4'])(get('https://upstream.example'))).rejects.toMatchObject({
    details: { reason: 'blocked_address' },
  });
});

test.each([
  'https://127.0.0.1',
  'https://127.1',
  'https://2130706433',
  'https://0x7f000001',
  'https://0177.0.0.1',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://[fd00::1]',
  'https://[::]',
  'https://10.0.0.1',
  'https://169.254.169.254',
  'https://0.0.0.0',
])('N2, N3: refuses the literal %s without asking the resolver', async (target) => {
  await expect(sendWith(['8.8.8.8'])(get(target))).rejects.toMatchObject({
    code: 'connection_failed',
    details: { reason: 'blocked_address' },
  });
});

test.each(['http://upstream.example', 'https://upstream.example:8443', 'http://upstream.example:443'])(
  'A12, N4: an unlisted origin %s is refused and not named',
  async (target) => {
    await expect(sendWith(['8.8.8.8'])(get(target))).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.not.stringContaining('upstream.example'),
      details: { reason: 'unlisted_origin' },
    });
  },
);

test('N4: a listed loopback origin is reachable, but no other port of it', async () => {
  const send = createSend(createAgent({ allowedOrigins: [{ connector: 'calendar', origin }] }));
  const { status, body } = await send(get(origin, 'calendar'));
  body.discard();
  expect(status).toBe(200);
  await expect(send(get('http://127.0.0.1:1', 'calendar'))).rejects.toMatchObject({
    details: { reason: 'unlisted_origin' },
  });
  expect(seen).toEqual(['/']);
});

test.each(['video', '', undefined])(
  'N4: an origin listed for another connector than %s is refused despite an open connection',
  async (connector) => {
    const send = createSend(createAgent({ allowedOrigins: [{ connector: 'calendar', origin }] }));
    const { body } = await send(get(origin, 'calendar'));
    body.discard();
    await expect(send(get(origin, connector))).rejects.toMatchObject({
      details: { reason: 'unlisted_origin' },
    });
    expect(seen).toEqual(['/']);
  },
);

test('N4: a listed internal https origin is reachable only for its connector', async () => {
  const inside = 'https://inside.example';
  const addresses: string[] = [];
  const agent = createAgent({
    allowedOrigins: [{ connector: 'calendar', origin: inside }],
    resolve: async (hostname) => {
      addresses.push(hostname);
      return [{ address: '10.0.0.1', family: 4 }];
    },
  });
  await expect(createSend(agent)(get(inside, 'video'))).rejects.toMatchObject({
    details: { reason: 'blocked_address' },
  });
  expect(agent.dispatcherFor({ owner: 'app_1', connector: 'calendar', origin: inside })).not.toBe(
    agent.dispatcherFor({ owner: 'app_1', connector: 'video', origin: inside }),
  );
  expect(addresses).toEqual(['inside.example']);
});

test('N2: only checked addresses of the requested family are dialled', async () => {
  const replies = [
    { address: '2606:4700::1111', family: 6 },
    { address: '8.8.8.8', family: 4 },
  ];
  const lookup = createCheckedLookup(
    async () => replies,
    () => [],
  );
  const all = new Promise((resolve) =>
    lookup('upstream.example', { all: true, family: 4 }, (_, list) => resolve(list)),
  );
  const one = new Promise((resolve) =>
    lookup('upstream.example', {}, (_, address, family) => resolve([address, family])),
  );
  expect(await all).toEqual([{ address: '8.8.8.8', family: 4 }]);
  expect(await one).toEqual(['2606:4700::1111', 6]);
});

test('N2: every DNS response is checked again, which prevents DNS rebinding', async () => {
  const addresses = ['8.8.8.8', '127.0.0.1'];
  const lookup = createCheckedLookup(
    async () => [{ address: addresses.shift() ?? '', family: 4 }],
    () => [],
  );
  const send = () =>
    new Promise((resolve) =>
      lookup('upstream.example', {}, (error, address) => resolve(error?.message ?? address)),
    );
  expect(await send()).toBe('8.8.8.8');
  expect(await send()).toMatch(/no public address/);
});

test('N2: a listed origin with a self-signed certificate is refused despite the environment', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const requests: string[] = [];
  const server = createTlsServer(SELF_SIGNED, (request, reply) => {
    requests.push(request.url ?? '');
    reply.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = `https://localhost:${(server.address() as AddressInfo).port}`;
  const agent = createAgent({ allowedOrigins: [{ connector: 'calendar', origin: own }] });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await agent.destroy();
    server.close();
  });
  await expect(createSend(agent)(get(own, 'calendar'))).rejects.toMatchObject({ details: { reason: 'tls' } });
  expect(requests).toEqual([]);
});

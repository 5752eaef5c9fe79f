import fastify from 'fastify';
import { expect, test } from 'vitest';
import { createClock } from '../src/clock.js';
import { mountUpstream } from '../src/mount.js';
import { openGrantFile } from '../src/oauth/grant-file.js';
import { createRecorder } from '../src/recorder.js';
import type { KeyUpstream } from '../src/upstream.js';

const parcels: KeyUpstream = {
  id: 'parcels',
  title: 'Parcels',
  key: { header: 'x-api-key', refuse: () => ({ status: 401, body: { error: 'no key' } }) },
  hosts: {
    tracking: {
      path: '/tracking',
      key: {
        header: 'authorization',
        scheme: 'Bearer',
        refuse: () => ({
          status: 403,
          body: { message: 'no token' },
          headers: { 'www-authenticate': 'Bearer' },
        }),
      },
    },
    labels: { path: '/labels' },
  },
  failure: (status, _requestId, host = 'main') => ({ status, host }),
  mount(app) {
    app.get('/v1/parcels', async () => ({ items: [] }));
    app.get('/tracking/v2/events', async () => ({ events: [] }));
    app.get('/labels/v1/labels', async () => ({ labels: [] }));
    return { reset() {} };
  },
};

async function start() {
  const app = fastify();
  const recorder = createRecorder();
  const grants = openGrantFile(undefined);
  const options = { url: 'http://sandbox', clock: createClock(), recorder, grants, hasOwnLimits: true };
  const mounted = mountUpstream(app, parcels, options);
  await app.ready();
  const get = (path: string, headers: Record<string, string>) =>
    app.inject({ url: `/parcels${path}`, headers });
  return { get, mounted, recorder };
}

test.each([
  { title: 'a valid key', path: '/v1/parcels', headers: { 'x-api-key': 'sandbox-one' }, status: 200 },
  { title: 'a missing key', path: '/v1/parcels', headers: {}, status: 401 },
  { title: 'an unknown key', path: '/v1/parcels', headers: { 'x-api-key': 'one' }, status: 401 },
  {
    title: 'the token of another host',
    path: '/v1/parcels',
    headers: { authorization: 'Bearer sandbox-one' },
    status: 401,
  },
  {
    title: 'a valid token on an additional host',
    path: '/tracking/v2/events',
    headers: { authorization: 'bearer sandbox-two' },
    status: 200,
  },
  {
    title: 'a token without its scheme',
    path: '/tracking/v2/events',
    headers: { authorization: 'sandbox-two' },
    status: 403,
  },
  {
    title: 'the key of the main host on an additional host',
    path: '/tracking/v2/events',
    headers: { 'x-api-key': 'sandbox-one' },
    status: 403,
  },
  {
    title: 'the main key on an additional host without its own key',
    path: '/labels/v1/labels',
    headers: { 'x-api-key': 'sandbox-one' },
    status: 200,
  },
])('returns $status for $title', async ({ path, headers, status }) => {
  const { get } = await start();
  expect((await get(path, headers)).statusCode).toBe(status);
});

test('refuses with the error body of the host', async () => {
  const { get } = await start();
  const refused = await get('/tracking/v2/events', {});
  expect(refused.json()).toEqual({ message: 'no token' });
  expect(refused.headers['www-authenticate']).toBe('Bearer');
});

test('refuses keys that were used before a revocation until a reset', async () => {
  const { get, mounted } = await start();
  const status = async (key: string) => (await get('/v1/parcels', { 'x-api-key': key })).statusCode;
  await status('sandbox-one');
  mounted.revokeGrants();
  expect([await status('sandbox-one'), await status('sandbox-two')]).toEqual([401, 200]);
  mounted.reset();
  expect(await status('sandbox-one')).toBe(200);
});

test('returns dialled failures with the error body of the host before it checks the key', async () => {
  const { get, mounted } = await start();
  mounted.faults.setDials({ failNext: { count: 1, status: 503 } });
  expect((await get('/tracking/v2/events', {})).json()).toEqual({ status: 503, host: 'tracking' });
});

test('records the host of each request and hides the key', async () => {
  const { get, recorder } = await start();
  await get('/v1/parcels', { 'x-api-key': 'sandbox-one' });
  await get('/tracking/v2/events', { authorization: 'Bearer sandbox-two' });
  expect(recorder.list()).toMatchObject([
    { path: '/v1/parcels', headers: { 'x-api-key': '[hidden]' } },
    { host: 'tracking', path: '/v2/events', headers: { authorization: 'Bearer [hidden]' } },
  ]);
  expect(JSON.stringify(recorder.list())).not.toContain('sandbox-');
});

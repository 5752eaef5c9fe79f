import { expect, test } from 'vitest';
import { createApp } from '../../test/support/create-app.js';

const nothing = async () => ({});

const create = () =>
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
  const reply = await (await create()).inject({ method, url });
  const [status, code] = allow === undefined ? [404, 'not_found'] : [405, 'method_not_allowed'];
  expect([reply.statusCode, reply.headers['svc-error'], reply.headers.allow]).toEqual([status, code, allow]);
  if (method === 'HEAD') return;
  expect(reply.json().error).toMatchObject({ code, message: expect.any(String) });
  expect(reply.json().error.details).toEqual(allow && { allow: allow.split(', ') });
});

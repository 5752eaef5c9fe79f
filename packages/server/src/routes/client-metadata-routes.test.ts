import { expect, test } from 'vitest';
import { createApp } from '../../test/support/service/create-app.js';
import { createClientMetadata } from '../authorization/client-metadata.js';
import { addClientMetadataRoute } from './client-metadata-routes.js';

const ID = `conn_${'0a'.repeat(12)}`;
const pathOf = (id: string) => `/sso/v1/oauth/${id}/client-metadata`;
const start = (environmentUrl: string) =>
  createApp((app) =>
    addClientMetadataRoute(app, { clientMetadata: createClientMetadata({ environmentUrl }) }),
  );

test('O14: the client metadata is public, and its client id is its own URL', async () => {
  const app = await start('https://svc.example.com');
  const reply = await app.inject({ url: pathOf(ID), headers: { host: 'evil.example.com' } });
  expect(reply.statusCode).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'cache-control': 'public, max-age=300',
  });
  expect(reply.json()).toMatchObject({ client_id: `https://svc.example.com${pathOf(ID)}` });
});

test.each([
  { title: 'for an invalid connection id', environmentUrl: 'https://svc.example.com', id: 'conn_1' },
  {
    title: 'of a service on localhost',
    environmentUrl: 'http://localhost:4400',
    id: ID,
  },
])('no client metadata exists $title', async ({ environmentUrl, id }) => {
  const reply = await (await start(environmentUrl)).inject(pathOf(id));
  expect(reply.statusCode).toBe(404);
  expect(reply.json()).toMatchObject({ error: { code: 'not_found' } });
});

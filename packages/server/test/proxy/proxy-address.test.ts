import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchReply, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService({ connectors: ['workspace'] });
});

afterAll(() => service.stop());

test.each(['user/42@x y', 'Zoë', '100%', 'a:b', '../user_42', '?#'])(
  'the proxy reaches the account of the user "%s"',
  async (identifier) => {
    const account = await connectAccount(service, 'workspace', identifier);
    const user = { connectionName: 'workspace', identifier };

    const { data } = await service.svc.request({ ...user, path: '/v1/users/me', method: 'GET' });

    expect(account).toMatchObject({ identifier, status: 'authorized' });
    expect(data).toMatchObject({ type: 'bot' });
  },
);

/** Imitates the client library of an upstream's vendor, which knows only a base URL and a token. */
const createVendorClient =
  (baseUrl: string, token: string) => (method: string, path: string, body?: unknown) =>
    fetchReply(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'notion-version': '2022-06-28',
        'content-type': 'application/json',
        'user-agent': 'vendor-client/2.0',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

test('the proxy serves an SDK of the vendor with its base URL and token set', async () => {
  await connectAccount(service, 'workspace', 'user_42');
  const { accessToken } = await signIn(service);
  const vendor = createVendorClient(`${service.url}/v1/proxy/workspace/user_42`, accessToken);

  const search = await vendor('POST', '/v1/search', { query: 'Welcome' });
  const [welcome] = search.json<{ results: { id: string }[] }>().results;
  const page = await vendor('GET', `/v1/pages/${welcome?.id}`);
  const missing = await vendor('GET', '/v1/pages/59833787-2cf9-4fdf-8782-e53db20768a5');

  expect(page.json()).toMatchObject({ object: 'page', id: welcome?.id });
  expect(missing.status).toBe(404);
  expect(missing.json()).toMatchObject({ object: 'error', code: 'object_not_found' });
});

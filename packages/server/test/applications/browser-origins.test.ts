import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Application, fetchReply, type Reply, signIn } from '../support/service/application.js';
import { addApplication } from '../support/service/second-application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const OWN = 'https://app.example.com';
const FOREIGN = 'https://other.example.com';
const UNKNOWN = 'https://evil.example.com';

let service: Service;
let owner: Application;
let token: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  owner = await signIn(service);
  await connectAccount(service, 'calendar', 'ada');
  await service.app.applications.change(service.clientId, { origins: [OWN, 'http://localhost:3000'] });
  const { items } = await service.app.applications.list({});
  expect(items[0]?.origins).toEqual(['http://localhost:3000', OWN]);
  const { id } = await service.app.applications.create('Stranger', { origins: [FOREIGN] });
  expect((await service.app.applications.get(id)).origins).toEqual([FOREIGN]);
  const made = await owner.call('POST', '/v1/account-tokens', { body: { identifier: 'ada' } });
  token = made.json<{ token: string }>().token;
});
afterAll(() => service.stop());

const ACCOUNT = '/v1/connections/calendar/accounts/ada';
const PROXIED = '/v1/proxy/calendar/ada/calendar/v3/users/me/calendarList';
const EXECUTED = '/v1/tools/calendar_list_calendars/execute';

const send = (
  path: string,
  origin: string,
  { bearer = token, method = 'GET', headers = {} } = {},
): Promise<Reply> => {
  const body =
    path === EXECUTED ? { connectionName: 'calendar', identifier: 'ada', toolInput: {} } : undefined;
  return fetchReply(service.url + path, {
    method: body ? 'POST' : method,
    headers: {
      authorization: `Bearer ${bearer}`,
      origin,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
};
const allowedBy = ({ headers }: Reply) => headers.get('access-control-allow-origin');

const preflight = (path: string, origin: string) =>
  fetchReply(service.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

describe.each([{ path: ACCOUNT }, { path: PROXIED }, { path: EXECUTED }])(
  'T5: cross-origin requests to $path',
  ({ path }) => {
    test.each([OWN, 'http://localhost:3000'])('the registered origin %s is allowed', async (origin) => {
      const preflighted = await preflight(path, origin);
      expect(preflighted.status).toBe(204);
      expect(allowedBy(preflighted)).toBe(origin);
      expect(preflighted.headers.get('access-control-allow-methods')).toContain('POST');
      expect(preflighted.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
      const reply = await send(path, origin);
      expect(reply.status, reply.text).toBe(200);
      expect(allowedBy(reply)).toBe(origin);
      expect(reply.headers.get('vary')).toContain('origin');
      for (const { headers } of [preflighted, reply])
        expect(headers.get('access-control-allow-credentials')).toBeNull();
    });

    test.each([
      UNKNOWN,
      'null',
      `${OWN}.evil.example`,
      `${OWN}:8443`,
      'http://app.example.com',
      'HTTPS://APP.EXAMPLE.COM',
      `${OWN}/`,
      '*',
    ])('the unregistered origin %s is refused', async (origin) => {
      const preflighted = await preflight(path, origin);
      expect([preflighted.status, preflighted.headers.get('svc-error'), allowedBy(preflighted)]).toEqual([
        403,
        'origin_not_allowed',
        null,
      ]);
      const reply = await send(path, origin);
      expect([reply.status, reply.headers.get('svc-error'), allowedBy(reply)]).toEqual([
        403,
        'origin_not_allowed',
        null,
      ]);
    });

    test('the origin of another application is refused', async () => {
      const reply = await send(path, FOREIGN);
      expect([reply.status, reply.headers.get('svc-error')]).toEqual([403, 'origin_not_allowed']);
    });

    test('the access token of the application is refused with every origin and accepted without one', async () => {
      for (const origin of [OWN, UNKNOWN]) {
        const reply = await send(path, origin, { bearer: owner.accessToken });
        expect([reply.status, reply.headers.get('svc-error')]).toEqual([403, 'origin_not_allowed']);
      }
    });

    test('a page can read the error of a refused token', async () => {
      const reply = await send(path, OWN, { bearer: 'svc_nt_x' });
      expect([reply.status, allowedBy(reply)]).toEqual([401, OWN]);
      expect(reply.headers.get('access-control-expose-headers')).toBe('*');
    });
  },
);

test('T5: a removed origin is refused at once, and the others still work', async () => {
  const application = service.clientId;
  expect((await send(ACCOUNT, OWN)).status).toBe(200);
  await service.app.applications.change(application, { origins: ['http://localhost:3000'] });
  expect((await send(ACCOUNT, OWN)).status).toBe(403);
  expect((await preflight(ACCOUNT, OWN)).status).toBe(403);
  expect((await send(ACCOUNT, 'http://localhost:3000')).status).toBe(200);
  await service.app.applications.change(application, { name: 'Renamed' });
  expect((await send(ACCOUNT, 'http://localhost:3000')).status).toBe(200);
  await service.app.applications.change(application, { origins: [OWN, 'http://localhost:3000'] });
});

test.each([
  'https://app.example.com/',
  'https://app.example.com/path',
  'http://app.example.com',
  'https://user@app.example.com',
  'app.example.com',
  'https://*.example.com',
  'null',
  '*',
])('T5: %s cannot be registered as an origin', async (origin) => {
  await expect(
    service.app.applications.change(service.clientId, { origins: [origin] }),
  ).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an OPTIONS request that is no preflight gets 405', async () => {
  const stranger = await addApplication(service);
  expect((await stranger.call('OPTIONS', PROXIED)).status).toBe(405);
  expect((await stranger.call('OPTIONS', ACCOUNT)).status).toBe(405);
});

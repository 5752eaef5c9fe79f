import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type DatabaseGate, startDatabaseGate } from '../support/databases/database-gate.js';
import { newDatabaseUrl } from '../support/databases/test-database.js';
import { callEveryRoute, expectUnavailable, type Route } from '../support/requests/call-every-route.js';
import { watchRoutes } from '../support/requests/registered-routes.js';
import { type Application, fetchReply } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

/** Operations that read only the built-in catalogue, so they need no database after authentication. */
const CATALOGUE = /^\/v1\/(connectors|tools|tool-summaries)(\/\{\w+\})?$/;

const watched = watchRoutes();

let gate: DatabaseGate;
let service: Service;
let routes: Awaited<ReturnType<typeof callEveryRoute>>;
let application: Application;
/** A caller with an unused token, which the service has to read from the database. */
let newcomer: Application;
/** Names and addresses of the database, which no error may contain. */
let inside: readonly string[];

describe.skipIf(inject('postgres') === undefined)('A12: an unreachable PostgreSQL', () => {
  beforeAll(async () => {
    gate = await startDatabaseGate((await newDatabaseUrl()) ?? '');
    const { host, port, pathname } = new URL(gate.url);
    inside = [host, `:${port}`, pathname.slice(1)];
    service = await startService({ connectors: ['workspace'], env: { DATABASE_URL: gate.url } });
    routes = await callEveryRoute(service, watched);
    application = await routes.signIn();
    newcomer = await routes.signIn();
    // The service caches the token for five seconds, so authentication works without the database.
    expect((await application.call('GET', '/v1/connections')).status).toBe(200);
    gate.cut();
  });
  afterAll(async () => {
    watched.stop();
    await service.stop();
    await gate.stop();
  });

  test('every operation of a cached application except the catalogue responds with a clean 503', async () => {
    for (const route of routes.operations) {
      const reply = await routes.call(route, application);
      if (!CATALOGUE.test(route.path) || reply.status !== 200) expectUnavailable(route, reply, inside);
    }
  });

  test('every operation of an application that is not cached responds with a clean 503', async () => {
    expect(routes.operations.length).toBeGreaterThan(20);
    for (const route of routes.operations) {
      expectUnavailable(route, await routes.call(route, newcomer), inside);
    }
  });

  test('every operator route except the passkey options responds with a clean 503', async () => {
    expect(routes.operatorRoutes.length).toBeGreaterThan(10);
    for (const route of routes.operatorRoutes.filter(({ path }) => !path.endsWith('/passkey-options'))) {
      expectUnavailable(route, await routes.call(route, application), inside);
    }
  });

  test('a page reports the outage without internal details', async () => {
    const paths = [
      `/connect/${'x'.repeat(43)}`,
      `/sso/v1/oauth/conn_1/callback?state=${'s'.repeat(43)}&code=c`,
    ];
    for (const path of paths) {
      const headers = { cookie: `svc-browser=${'b'.repeat(43)}` };
      const reply = await fetchReply(service.url + path, { headers });
      const code = reply.headers.get('svc-error');
      expect({ path, status: reply.status, code }).toEqual({ path, status: 503, code: 'unavailable' });
      expect(inside.filter((part) => reply.text.includes(part))).toEqual([]);
    }
  });

  test('/healthz responds 200 and /readyz 503', async () => {
    expect((await fetchReply(`${service.url}/healthz`)).status).toBe(200);
    expectUnavailable({ method: 'GET', path: '/readyz' }, await fetchReply(`${service.url}/readyz`), inside);
  });

  test('the same service recovers completely once the database is back', async () => {
    gate.mend();
    expect((await fetchReply(`${service.url}/readyz`)).status).toBe(200);
    const { operations, operatorRoutes } = routes;
    const endsNothing = ({ method, path }: Route) => method !== 'DELETE' && !path.endsWith('/revoke');
    for (const route of [...operations, ...operatorRoutes].filter(endsNothing)) {
      const { status } = await routes.call(route, newcomer);
      const title = `${route.method} ${route.path}`;
      expect({ title, isFault: status >= 500 }).toEqual({ title, isFault: false });
    }
    const execute = { method: 'POST', path: '/v1/tools/{toolName}/execute' };
    expect((await routes.call(execute, newcomer)).status).toBe(200);
  });
});

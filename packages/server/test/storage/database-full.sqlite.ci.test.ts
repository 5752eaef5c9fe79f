import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Database } from '../../src/storage/schema.js';
import { callEveryRoute, expectUnavailable } from '../support/requests/call-every-route.js';
import { watchRoutes } from '../support/requests/registered-routes.js';
import { type Application, fetchReply } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

let database: Database;

vi.mock(import('../../src/storage/database.js'), async (importActual) => {
  const actual = await importActual();
  return {
    ...actual,
    openDatabase: async (source) => {
      const opened = await actual.openDatabase(source);
      database = opened.database;
      return opened;
    },
  };
});

const watched = watchRoutes();
const PUT_ACCOUNT = { method: 'PUT', path: '/v1/connections/{connectionName}/accounts/{identifier}' };
const MOST_ACCOUNTS = 2000;

let service: Service;
let routes: Awaited<ReturnType<typeof callEveryRoute>>;
let application: Application;
let accounts = 0;

const putAccount = () => {
  accounts += 1;
  const identifier = `${accounts}`.padStart(200, 'x');
  return application.call('PUT', `/v1/connections/workspace/accounts/${identifier}`);
};

describe.skipIf(inject('postgres') !== undefined)('A12 and F6: the SQLite file', () => {
  beforeAll(async () => {
    service = await startService({ connectors: ['workspace'] });
    routes = await callEveryRoute(service, watched);
    application = await routes.signIn();
  });
  afterAll(async () => {
    watched.stop();
    await service.stop();
  });

  test('a read-only database: every operation either reads or responds with a clean 503', async () => {
    await sql`pragma query_only = on`.execute(database);
    const unavailable: string[] = [];
    for (const route of [...routes.operations, ...routes.operatorRoutes]) {
      const reply = await routes.call(route, application);
      if (reply.status < 500) continue;
      unavailable.push(`${route.method} ${route.path}`);
      expectUnavailable(route, reply, [service.data]);
    }
    expect(unavailable).toEqual(
      expect.arrayContaining([
        'POST /oauth/token',
        'POST /v1/connections',
        'PATCH /v1/connections/{connectionName}',
        'DELETE /v1/connections/{connectionName}',
        'POST /operator/v1/applications',
        'DELETE /operator/v1/applications/{applicationId}',
      ]),
    );
    expect((await fetchReply(`${service.url}/healthz`)).status).toBe(200);
    await sql`pragma query_only = off`.execute(database);
    expect((await putAccount()).status).toBe(201);
  });

  test('a full disk: a write gets a clean 503, and reads and later writes work', async () => {
    // SQLite raises this limit to the file's present number of pages, so the file cannot grow any more.
    await sql`pragma max_page_count = 1`.execute(database);
    let reply = await putAccount();
    while (reply.status === 201 && accounts < MOST_ACCOUNTS) reply = await putAccount();
    expectUnavailable(PUT_ACCOUNT, reply, [service.data]);
    const ready = await fetchReply(`${service.url}/readyz`);
    expectUnavailable({ method: 'GET', path: '/readyz' }, ready, [service.data]);
    expect(ready.text).toContain('The disk of the database is full, so nothing can be stored.');
    expect((await fetchReply(`${service.url}/healthz`)).status).toBe(200);
    const reading = { method: 'GET', path: '/v1/connections/{connectionName}/accounts/{identifier}' };
    expect((await routes.call(reading, application)).status).toBe(200);
    await sql`pragma max_page_count = 1073741823`.execute(database);
    expect((await putAccount()).status).toBe(201);
    expect((await fetchReply(`${service.url}/readyz`)).status).toBe(200);
  });
});

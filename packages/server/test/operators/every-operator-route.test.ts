import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../src/storage/schema.js';
import { readTables } from '../support/databases/read-tables.js';
import { type OpenApi, operationsOf } from '../support/requests/operations.js';
import { watchRoutes } from '../support/requests/registered-routes.js';
import { fetchReply, type Reply } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
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

interface Route {
  readonly method: string;
  readonly path: string;
}

const PREFIX = '/operator/v1';
const watched = watchRoutes();
let service: Service;
let signedIn: Readonly<Record<'owner' | 'operator' | 'reader', SignedInOperator>>;
/** Operations that need a session, and operations that begin one. */
let operations: readonly Route[];
let signIns: readonly Route[];

async function signInAs(role: 'owner' | 'operator' | 'reader'): Promise<SignedInOperator> {
  const { password } = await service.app.operators.create(`a.${role}`, role);
  return signInOperator({ url: service.url, name: `a.${role}`, password });
}

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  signedIn = {
    owner: await signInAs('owner'),
    operator: await signInAs('operator'),
    reader: await signInAs('reader'),
  };
  const document = (await signedIn.owner.call('GET', '/openapi.json')).json<OpenApi>();
  signIns = operationsOf(document).filter(({ security }) => security?.length === 0);
  const isSignIn = (route: Route) =>
    signIns.some(({ method, path }) => method === route.method && path === route.path);
  operations = watched
    .of(service.app.server)
    .filter((route) => route.path.startsWith(PREFIX) && !isSignIn(route))
    // Sorts the sign-out last, because it ends the session that the other operations need.
    .sort((a, b) => Number(isSignOut(a)) - Number(isSignOut(b)));
});
afterAll(async () => {
  watched.stop();
  await service.stop();
});

const isSignOut = ({ method, path }: Route) => method === 'DELETE' && path === `${PREFIX}/session`;
const reads = ({ method }: Pick<Route, 'method'>) => ['GET', 'HEAD'].includes(method);
const managesOperators = ({ method, path }: Route) =>
  !reads({ method }) && path.startsWith(`${PREFIX}/operators`);

/** Fills in ids of existing objects where possible, so that an accepted call would take effect. */
function toPath(path: string): string {
  const exists: Readonly<Record<string, string>> = {
    applicationId: service.clientId,
    connectionName: 'calendar',
    name: 'a.operator',
  };
  return path.slice(PREFIX.length).replace(/\{(\w+)\}/g, (_, name: string) => exists[name] ?? 'ada');
}

const callAs = (role: keyof typeof signedIn, { method, path }: Route) =>
  signedIn[role].call(method, toPath(path));

/**
 * Returns all rows as JSON, to compare two states. Counts the sessions only, because each request updates their last
 * use. Leaves out `instances`, because the service updates this table all the time, and `failed_requests`, which
 * records each refused request.
 */
async function rowsOfAll(): Promise<string> {
  const { operator_sessions: sessions = [], ...tables } = await readTables(database);
  return JSON.stringify({ ...tables, instances: [], failed_requests: [], sessions: sessions.length });
}

/** Calls the operation with these headers only. The test adds the cookie and the CSRF token where it needs them. */
const callWith = (headers: Readonly<Record<string, string>>, { method, path }: Route) =>
  fetchReply(`${service.url}${PREFIX}${toPath(path)}`, { method, headers });

test('D1: every operation needs a session, except those that start one', async () => {
  expect(signIns.length).toBeGreaterThan(1);
  expect(operations.length).toBeGreaterThan(20);
  for (const operation of operations) {
    const { status } = await callWith({}, operation);
    expect({ ...operation, status }).toEqual({ ...operation, status: 401 });
  }
});

test('D1: every change needs the CSRF token of its session and the origin of the dashboard', async () => {
  const { cookie, csrfToken } = signedIn.owner;
  const origin = service.url;
  const attempts = [
    { origin },
    { origin, 'svc-csrf': '' },
    { origin, 'svc-csrf': `${csrfToken.slice(0, -1)}_` },
    { origin, 'svc-csrf': signedIn.operator.csrfToken },
    { 'svc-csrf': csrfToken },
    { 'svc-csrf': csrfToken, origin: 'https://evil.example' },
    { 'svc-csrf': csrfToken, origin: service.url.replace('http:', 'https:') },
    { 'svc-csrf': csrfToken, origin: 'null' },
  ];
  const before = await rowsOfAll();
  const changes = operations.filter((operation) => !reads(operation));
  expect(changes.length).toBeGreaterThan(10);
  for (const operation of changes) {
    for (const headers of attempts) {
      const { status } = await callWith({ cookie, ...headers }, operation);
      expect({ ...operation, headers, status }).toEqual({ ...operation, headers, status: 403 });
    }
  }
  expect(await rowsOfAll()).toBe(before);
});

test('D1: a page of another site cannot sign anybody in', async () => {
  for (const { method, path } of signIns) {
    const headers = { origin: 'https://evil.example', 'content-type': 'application/json' };
    const { status } = await fetchReply(service.url + path, { method, headers, body: '{}' });
    expect({ path, status }).toEqual({ path, status: 403 });
  }
});

const refusal = ({ status, text }: Reply) => ({
  status,
  message: status === 403 ? JSON.parse(text).error.message : '',
});

test('D1: a reader can read everything, sign out, and nothing else', async () => {
  expect(operations.filter((each) => !reads(each)).length).toBeGreaterThan(5);
  const before = await rowsOfAll();
  for (const operation of operations.filter((each) => !isSignOut(each))) {
    const reply = refusal(await callAs('reader', operation));
    const expected = reads(operation)
      ? { status: expect.not.toBeOneOf([401, 403]), message: '' }
      : {
          status: 403,
          message: expect.stringMatching(/needs the role (operator|owner), but your role is reader/),
        };
    expect({ ...operation, ...reply }).toEqual({ ...operation, ...expected });
  }
  expect(await rowsOfAll()).toBe(before);
  expect((await signedIn.reader.call('DELETE', '/session')).status).toBe(204);
});

test('D1: a reader with a sign-in link can set up its own credentials, and nothing else', async () => {
  const token = (await service.app.signInLinks.create('a.reader')).link.split('#')[1];
  const reply = await fetchReply(`${service.url}${PREFIX}/session/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';');
  const { csrfToken } = reply.json<{ csrfToken: string }>();
  const allowed: string[] = [];
  for (const operation of operations.filter((each) => !reads(each) && !isSignOut(each))) {
    const { status } = await callWith({ cookie, origin: service.url, 'svc-csrf': csrfToken }, operation);
    if (status !== 403) allowed.push(`${operation.method} ${operation.path.slice(PREFIX.length)}`);
  }
  expect(allowed.sort()).toEqual([
    'DELETE /session/passkeys/{id}',
    'POST /session/passkeys',
    'POST /session/passkeys/options',
    'PUT /session/password',
  ]);
});

describe('D1: an operator', () => {
  test('can do everything except manage operators', async () => {
    for (const operation of operations) {
      const reply = refusal(await callAs('operator', operation));
      const expected = managesOperators(operation)
        ? { status: 403, message: expect.stringMatching(/needs the role owner, but your role is operator/) }
        : { status: expect.not.toBeOneOf([401, 403]), message: '' };
      expect({ ...operation, ...reply }).toEqual({ ...operation, ...expected });
    }
  });

  test('has its current role at each request', async () => {
    const { operators } = service.app;
    const ada = await operators.create('ada', 'operator');
    const { call } = await signInOperator({ url: service.url, ...ada });
    const make = async () => (await call('POST', '/applications', { body: { name: 'Notes' } })).status;
    expect(await make()).toBe(201);
    await operators.changeRole('ada', 'reader');
    expect(await make()).toBe(403);
    expect((await call('GET', '/session')).json()).toMatchObject({ role: 'reader' });
    await operators.changeRole('ada', 'owner');
    expect(await make()).toBe(201);
    await operators.delete('ada');
    expect(await make()).toBe(401);
  });
});

test('D1: an owner can do everything', async () => {
  for (const operation of operations) {
    const { status } = await callAs('owner', operation);
    expect({ ...operation, status }).toEqual({ ...operation, status: expect.not.toBeOneOf([401, 403]) });
  }
});

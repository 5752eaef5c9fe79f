import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { APPLICATION, CONNECTION } from '../../test/support/databases/sample-rows.js';
import { createServiceParts } from '../../test/support/service/service-parts.js';
import { createIdempotency } from '../applications/idempotency.js';
import { type ErrorCode, type ErrorDetails, ServiceError } from '../errors.js';
import { createIdempotencyKeys } from '../front/idempotency-keys.js';
import { createErrorReply } from '../listener/error-reply.js';
import { createLog } from '../log/log.js';
import type { Database } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { addIdempotency } from './add-idempotency.js';

const MIB = 1024 * 1024;

let database: Database;
let storage: Storage;
let app: FastifyInstance;
let clock = 0;
let effects = 0;
let effect: () => Promise<unknown> = async () => ({});

beforeEach(async () => {
  clock = Date.UTC(2026, 10, 20);
  effects = 0;
  effect = async () => ({ made: effects });
  app = await createApp();
});

afterEach(async () => {
  await app.close();
});

async function createApp(): Promise<FastifyInstance> {
  const parts = { ...(await createServiceParts()), now: () => clock };
  ({ database, storage } = parts);
  for (const id of ['app_a', 'app_b']) {
    const known = { applicationId: id, id: `secret_${id}`, digest: id, createdAt: clock, revokedAt: null };
    await storage.applications.insert({ ...APPLICATION, id, name: id, createdAt: clock });
    await storage.applications.insertSecret(known);
    await storage.connections.insert({ ...CONNECTION, id: `conn_${id}`, applicationId: id });
  }
  const created = fastify();
  created.setErrorHandler(createErrorReply({ log: createLog('silent'), headers: {} }));
  created.decorateRequest('applicationId', '');
  created.addHook('onRequest', async (request) => {
    request.applicationId = String(request.headers['x-application'] ?? 'app_a');
  });
  const idempotency = createIdempotency(parts);
  addIdempotency(
    created,
    createIdempotencyKeys({ idempotency, log: createLog('silent'), storeTimeoutMs: 100 }),
  );
  created.post('/make', { config: { keyedBy: 'body' } }, async () => {
    effects += 1;
    return effect();
  });
  return created;
}

function make(key: string, payload: object = { name: 'x' }, application = 'app_a') {
  const headers = { 'idempotency-key': key, 'x-application': application };
  return app.inject({
    method: 'POST',
    url: '/make',
    headers,
    payload: { connectionName: 'mail', ...payload },
  });
}

test('A13: a repeated call gets the first response', async () => {
  const first = await make('k');
  const second = await make('k');
  expect([first.json(), second.json()]).toEqual([{ made: 1 }, { made: 1 }]);
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect(effects).toBe(1);
});

test('A13: a key that was sent with another body is refused', async () => {
  await make('k');
  const other = await make('k', { name: 'y' });
  expect(other.statusCode).toBe(422);
  expect(other.json().error.code).toBe('idempotency_mismatch');
  expect(effects).toBe(1);
});

test('A13: 100 simultaneous calls with one key have one effect', async () => {
  let finish: (value: unknown) => void = () => undefined;
  const running = new Promise((resolve) => {
    finish = resolve;
  });
  effect = () => running;
  const calls = Array.from({ length: 100 }, () => make('k'));
  const refused = await Promise.race(calls);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([409, '1']);
  finish({ made: 1 });
  const replies = await Promise.all(calls);
  const succeeded = replies.filter((reply) => reply.statusCode === 200);
  expect(succeeded.length).toBeGreaterThan(0);
  expect(succeeded.every((reply) => reply.body === '{"made":1}')).toBe(true);
  expect(replies.filter((reply) => ![200, 409].includes(reply.statusCode))).toEqual([]);
  expect(effects).toBe(1);
});

test('the keys of two applications are separate', async () => {
  await make('k');
  await make('k', { name: 'y' }, 'app_b');
  expect(effects).toBe(2);
});

const HALF_DONE = { repeatable: false, progress: { appended: 100, total: 150 } };

test.each<{ code: ErrorCode; details?: ErrorDetails; times: number; title: string }>([
  { code: 'account_not_authorized', times: 2, title: 'releases the key when the call had no effect' },
  { code: 'upstream_timeout', times: 1, title: 'keeps the key when the call may have had an effect' },
  { code: 'unavailable', times: 2, title: 'releases the key when the service is busy' },
  { code: 'unavailable', details: HALF_DONE, times: 1, title: 'keeps the key of a partly completed call' },
  {
    code: 'account_not_authorized',
    details: HALF_DONE,
    times: 1,
    title: 'keeps the key of a partly completed call despite a missing consent',
  },
])('A13: an error $title ($code)', async ({ code, details, times }) => {
  effect = async () => {
    throw new ServiceError(code, 'No.', details);
  };
  const replies = [await make('k'), await make('k')];
  expect(replies.map((reply) => reply.headers['svc-error'])).toEqual([code, code]);
  expect(effects).toBe(times);
});

test.each([
  { title: 'a result', result: async () => ({ text: 'x'.repeat(MIB) }), status: 200 },
  {
    title: 'an error',
    result: async () => {
      throw new ServiceError('upstream_failed', 'No.', { body: 'x'.repeat(MIB) });
    },
    status: 502,
  },
])('A13: $title above 1 MiB is not stored, and a repeated call does not run', async ({ result, status }) => {
  effect = result;
  const first = await make('k');
  expect([first.statusCode, first.body.length > MIB]).toEqual([status, true]);
  const second = await make('k');
  expect([second.statusCode, second.headers['svc-error'], second.headers['retry-after']]).toEqual([
    409,
    'conflict',
    undefined,
  ]);
  expect(second.json().error).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`ended with the status ${status}`),
    details: { status, repeatable: false },
    requestId: expect.any(String),
  });
  expect(effects).toBe(1);
  const [row] = await readStored();
  expect(row?.response?.length).toBeLessThan(2000);
});

test('A13: a key is kept for 24 hours', async () => {
  await make('k');
  clock += 24 * 3_600_000 - 1;
  await make('k');
  expect(effects).toBe(1);
  clock += 1;
  await make('k');
  expect(effects).toBe(2);
});

test('A13: a crashed run keeps its key for a minute', async () => {
  effect = () => new Promise(() => undefined);
  const lost = make('k');
  lost.catch(() => undefined);
  await expect.poll(() => effects).toBe(1);
  effect = async () => ({ made: effects });
  clock += 59_000;
  expect((await make('k')).statusCode).toBe(409);
  clock += 1000;
  expect((await make('k')).json()).toEqual({ made: 2 });
});

test('the stored response is encrypted', async () => {
  effect = async () => ({ link: 'canary-7f3a' });
  await make('k');
  const rows = await database.selectFrom('idempotencyKeys').selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('canary-7f3a');
});

const readStored = () => database.selectFrom('idempotencyKeys').selectAll().execute();

test('A13: a stored response is deleted with its object, in its own application only', async () => {
  for (const application of ['app_a', 'app_b']) await make('k', {}, application);
  await storage.connections.delete('app_a', 'conn_app_a');
  // Polls, because a response may be sent before its copy is stored.
  await expect.poll(readStored).toMatchObject([{ applicationId: 'app_b', connectionId: 'conn_app_b' }]);
});

test.each(['before', 'while'])(
  'A13: no response is stored for an object that is deleted %s it is stored',
  async (moment) => {
    const remove = () => storage.connections.delete('app_a', 'conn_app_a');
    if (moment === 'before') effect = async () => remove().then(() => ({ data: 'late' }));
    else {
      const { findByName } = storage.connections;
      vi.spyOn(storage.connections, 'findByName').mockImplementation(async (...name) => {
        const connection = await findByName(...name);
        await remove();
        return connection;
      });
    }
    expect((await make('k')).statusCode).toBe(200);
    await expect.poll(readStored).toEqual([]);
  },
);

test('A13: a call that ends during a database outage returns its response, which is stored later', async () => {
  const away = new ServiceError('unavailable', 'The database cannot be read or written.');
  const update = vi.spyOn(storage.idempotencyKeys, 'update').mockRejectedValue(away);
  const first = await make('k');
  expect([first.statusCode, first.json()]).toEqual([200, { made: 1 }]);
  expect((await make('k')).headers['svc-error']).toBe('conflict');
  update.mockRestore();
  await expect.poll(async () => (await make('k')).headers['idempotent-replayed']).toBe('true');
  expect(effects).toBe(1);
});

test.each(['', 'two words', 'é', 'x'.repeat(256)])('the idempotency key %j is refused', async (key) => {
  const reply = await make(key);
  expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'invalid_request']);
  expect(effects).toBe(0);
});

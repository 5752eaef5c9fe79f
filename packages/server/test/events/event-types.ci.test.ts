import { readdirSync, readFileSync } from 'node:fs';
import { verifyWebhook } from '@svc/core/events';
import { approve, startSandbox } from '@svc/sandbox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EVENT_TYPES } from '../../src/names/event-types.js';
import { type Receiver, startReceiver, status } from '../support/events/start-receiver.js';
import { createWatching, type Watching } from '../support/events/watching.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const FOLDER = new URL('../../../../schemas/events/', import.meta.url);
const VERIFY_URL = 'https://acme.example.com/verify';

interface EventSchema {
  readonly type: string;
  readonly data: object;
  readonly example: object;
}

const schemas = readdirSync(FOLDER).map(
  (name): EventSchema => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')),
);

/** Lists the differences between the data of an event and the schema of its type. */
function problemsOf(type: string, data: unknown): unknown {
  const ajv = new Ajv2020({ allErrors: true });
  const schema = schemas.find((each) => each.type === type);
  return schema && ajv.validate(schema.data, data) ? [] : (ajv.errors ?? 'unknown type');
}

let service: Service;
let receiver: Receiver;
let owner: Application;
let secret: string;
let watching: Watching;

beforeAll(async () => {
  receiver = await startReceiver();
  const sandbox = await startSandbox({ connectors: ['workspace', 'calendar'], rateLimits: false });
  const origins = `${listForSandbox(sandbox)},webhooks=${receiver.origin}`;
  service = await startService({ sandbox, env: { SVC_ALLOWED_ORIGINS: origins } });
  owner = await signIn(service);
  watching = createWatching(service);
  await connectAccount(service, 'calendar', 'ada');
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

test('schemas/events/ describes every type of event, with an example', () => {
  expect(schemas.map(({ type }) => type).sort()).toEqual([...EVENT_TYPES].sort());
  for (const { type, example } of schemas)
    expect({ type, problems: problemsOf(type, example) }).toEqual({ type, problems: [] });
});

const call = async (method: string, path: string, body?: unknown) =>
  owner.call(method, `/v1${path}`, { body });

async function consent(identifier: string, stopAt: string) {
  const { link } = await service.svc.getAuthorizationLink({ connectionName: 'workspace', identifier });
  const { url } = await approve(link, { user: 'ada', stopAt: (address) => address.startsWith(stopAt) });
  return new URL(url).searchParams.get('auth_request_id');
}

const execute = () =>
  call('POST', '/tools/workspace_users_list/execute', {
    connectionName: 'workspace',
    identifier: 'ada',
    toolInput: {},
  });

/**
 * Causes each type of event of a watch once: an item is created, changed and deleted, and the account loses its access.
 */
async function causeItemEvents(): Promise<void> {
  const { createWatch, reported, run, started } = watching;
  const { id: watchId } = await createWatch('calendar_list_events', {});
  await started(watchId);
  const { id } = await run('calendar_create_event', {
    summary: 'Review',
    start_datetime: '2026-12-01T09:00:00Z',
  });
  await expect.poll(async () => (await reported(watchId)).length).toBe(1);
  await run('calendar_update_event', { calendar_id: 'primary', event_id: id, summary: 'Retro' });
  await expect.poll(async () => (await reported(watchId)).length).toBe(2);
  await run('calendar_delete_event', { event_id: id });
  await expect.poll(async () => (await reported(watchId)).length).toBe(3);
  await call('POST', '/connections/calendar/accounts/ada/revoke');
}

/** Causes each other type of event once: a consent, an approved and a failing call, and the end of the account. */
async function causeEvents(): Promise<void> {
  await service.app.applications.change(service.clientId, { verifyUrl: VERIFY_URL });
  const authRequestId = await consent('ada', VERIFY_URL);
  await call('POST', '/accounts/verify', { authRequestId, identifier: 'ada' });
  await call('PATCH', '/connections/workspace', {
    approve: { default: 'never', tools: { workspace_users_list: 'always' } },
  });
  const asked = (await execute()).json<{ error: { details: { id: string } } }>();
  await call('POST', `/approvals/${asked.error.details.id}`, { decision: 'approve' });
  await execute();
  await service.sandbox.revokeGrants('workspace');
  await call('GET', '/proxy/workspace/ada/v1/users');
  await call('DELETE', '/connections/workspace/accounts/ada');
}

test('every type of event reaches a receiver once, signed and in the form of its schema', async () => {
  receiver.answer('/gone', status(410));
  const created = await call('POST', '/webhook-endpoints', {
    url: `${receiver.origin}/all`,
    types: EVENT_TYPES,
  });
  expect(created.status, created.text).toBe(201);
  const { id, ...endpoint } = created.json<{ id: string; secret: string }>();
  secret = endpoint.secret;
  await call('POST', `/webhook-endpoints/${id}/test`);
  await call('POST', '/webhook-endpoints', { url: `${receiver.origin}/gone`, types: ['account.authorized'] });
  await causeEvents();
  await causeItemEvents();
  await vi.waitFor(() => {
    const types = new Set(receiver.received('/all').map(({ type }) => type));
    expect([...types].sort()).toEqual([...EVENT_TYPES].sort());
  }, 10_000);
  const counts: Record<string, number> = {};
  for (const { body, headers } of receiver.received('/all')) {
    const { type, data } = await verifyWebhook(body, headers, secret);
    counts[type] = (counts[type] ?? 0) + 1;
    expect({ type, problems: problemsOf(type, data) }).toEqual({ type, problems: [] });
  }
  // The access of two accounts ends: the upstream refuses one of them, and the application revokes the other.
  expect(counts).toEqual({
    ...Object.fromEntries(EVENT_TYPES.map((type) => [type, 1])),
    'account.reauthorization_required': 2,
  });
});

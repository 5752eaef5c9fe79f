import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../support/processes/command.js';
import { newSettings, type ServiceProcess, startProcess } from '../support/processes/service-process.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { signIn } from '../support/service/application.js';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const ACCOUNT = '/v1/connections/calls/accounts/ada';

let sandbox: Sandbox;
let service: ServiceProcess;

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['convintel'], rateLimits: false });
  service = await startProcess(await newSettings({ env: { SVC_ALLOWED_ORIGINS: listForSandbox(sandbox) } }));
});
afterAll(async () => {
  await service.kill();
  await sandbox.stop();
});

test('O21: a command that deletes an application deletes its subscriptions at the upstream', async () => {
  const { call } = await signIn(service);
  const { baseUrl } = sandbox.upstream('convintel');
  await call('POST', '/v1/connections', {
    body: { connectionName: 'calls', connector: 'convintel', baseUrl },
  });
  await call('PUT', ACCOUNT, { body: { bearerToken: 'sandbox-ada' } });
  const body = { trigger: 'conversation_processed' };
  const created = await call('POST', `${ACCOUNT}/webhooks`, { body });
  expect(created.status, created.text).toBe(201);
  service.signal('SIGTERM');
  await service.ended;
  const env = { ...service.env, SVC_DATA: service.data };
  const deleted = await command({ env }, 'apps', 'delete', service.clientId, '--yes');
  expect(deleted.code, deleted.stderr).toBe(0);
  const { upstreamId } = created.json<{ upstreamId: string }>();
  const requests = await sandbox.requests('convintel');
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toContain(`DELETE /webhooks/${upstreamId}`);
});

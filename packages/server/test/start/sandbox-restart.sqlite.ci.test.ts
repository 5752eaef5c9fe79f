import { createClient } from '@svc/core';
import { connectSandbox } from '@svc/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { newPort } from '../support/processes/new-port.js';
import { newSettings, type ServiceSettings, startProcess } from '../support/processes/service-process.js';
import { connectAccount } from '../support/service/service.js';

const SLOW = { timeout: 180_000 };
const OAUTH = ['calendar', 'notesmcp', 'workspace'];

/** Starts the service with its sandbox on this port, and creates a client of its first application. */
async function start(settings: ServiceSettings, sandboxPort: number) {
  const env = { ...settings.env, SVC_SANDBOX_PORT: String(sandboxPort) };
  const service = await startProcess({ ...settings, flags: ['--sandbox'], env });
  onTestFinished(service.kill);
  const { clientId, clientSecret } = settings;
  const svc = createClient({ environmentUrl: service.url, clientId, clientSecret });
  const stop = async () => {
    service.signal('SIGHUP');
    expect((await service.ended).code).toBe(0);
  };
  return { service, svc, stop };
}

const runTool = (svc: ReturnType<typeof createClient>, tool: string, connectionName: string) =>
  svc.call({
    method: 'POST',
    path: `/v1/tools/${tool}/execute`,
    body: { connectionName, identifier: 'user_42', toolInput: {} },
  });

test('accounts of the sandbox survive its restart only on the same port', SLOW, async () => {
  const settings = await newSettings();
  const [port, otherPort] = [await newPort(), await newPort()];
  const first = await start(settings, port);
  for (const id of OAUTH) await connectAccount(first, id);
  await first.stop();

  const second = await start(settings, port);
  expect(second.service.stdout()).not.toContain('does not use this sandbox');
  const sandbox = await connectSandbox(`http://127.0.0.1:${port}`);
  for (const id of OAUTH) await sandbox.expireTokens(id);
  await runTool(second.svc, 'calendar_list_calendars', 'calendar');
  await runTool(second.svc, 'notesmcp_list_meetings', 'notesmcp');
  await second.stop();

  const third = await start(settings, otherPort);
  for (const id of OAUTH)
    expect(third.service.stdout()).toContain(
      `The connection ${id} does not use this sandbox (http://127.0.0.1:${otherPort}), because its accounts belong to http://127.0.0.1:${port}/${id}.`,
    );
  expect(third.service.stdout()).toContain(`start with SVC_SANDBOX_PORT=${port}, or delete these accounts`);
  const { baseUrl } = await third.svc.call<{ baseUrl: string }>({
    method: 'GET',
    path: '/v1/connections/video',
  });
  expect(baseUrl).toBe(`http://127.0.0.1:${otherPort}/video`);
  await third.stop();

  const last = await start(settings, port);
  await runTool(last.svc, 'calendar_list_calendars', 'calendar');
});

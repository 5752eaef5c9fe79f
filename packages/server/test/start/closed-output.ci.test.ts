import { expect, onTestFinished, test } from 'vitest';
import { newSettings, runService } from '../support/processes/service-process.js';

test('a service whose output is closed during its start serves requests and stops like any other', async () => {
  const settings = await newSettings();
  const url = `http://localhost:${settings.port}`;
  const run = runService({
    isOutputClosed: true,
    env: {
      ...settings.env,
      SVC_PORT: String(settings.port),
      SVC_DATA: settings.data,
      SVC_LOG_ACCESS: '1',
    },
  });
  onTestFinished(() => run.signal('SIGKILL'));
  const statusOf = (path: string) =>
    fetch(url + path).then(
      ({ status }) => status,
      () => 'no response',
    );
  await expect.poll(() => statusOf('/readyz')).toBe(200);
  // The log writes its lines 200 ms after the requests, so the service has to survive writes that fail.
  for (const deadline = Date.now() + 1000; Date.now() < deadline; )
    expect(await statusOf('/v1/connections')).toBe(401);
  expect(await statusOf('/readyz')).toBe(200);
  run.signal('SIGTERM');
  expect((await run.ended).code).toBe(0);
});

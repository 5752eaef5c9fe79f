import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@svc/core';
import { startSandbox } from '@svc/sandbox';
import { tellCalendar } from './demo/calendar-story.ts';
import { authorize, createConnection } from './demo/connect.ts';
import { tellRefusals } from './demo/refusals.ts';
import { startService } from './demo/service.ts';
import { chapter, check, say } from './demo/transcript.ts';
import { tellWorkspace } from './demo/workspace-story.ts';

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

const started = performance.now();
const data = mkdtempSync(path.join(tmpdir(), 'svc-demo-'));
const sandbox = await startSandbox();
const settings = {
  port: await freePort(),
  data,
  allowedOrigin: sandbox.url,
  clientId: 'app_demo',
  clientSecret: randomBytes(32).toString('base64url'),
};
let service = await startService(settings);
const svc = createClient({
  environmentUrl: service.url,
  clientId: settings.clientId,
  clientSecret: settings.clientSecret,
});

try {
  chapter(`The service is on ${service.url}, the emulated upstreams are on ${sandbox.url}`);
  for (const upstream of sandbox.upstreams) await createConnection(svc, sandbox, upstream);

  chapter('A user connects two accounts, through real redirects and consent');
  const accounts = {
    workspace: await authorize(svc, 'workspace'),
    calendar: await authorize(svc, 'calendar'),
  };

  chapter('Workspace');
  await tellWorkspace(svc, accounts.workspace);

  chapter('The service dies without warning (kill -9) and is started again');
  await service.kill();
  service = await startService(settings);
  const { status } = await svc.accounts.get(accounts.calendar);
  check('no account is lost', status === 'authorized');

  chapter('Calendar');
  await tellCalendar(svc, accounts.calendar, sandbox);

  chapter('Inputs that are refused, with every broken rule at once');
  await tellRefusals(svc, accounts, sandbox);

  chapter('What ran');
  let count = 0;
  for await (const execution of svc.executions.list.each({ pageSize: 20 })) {
    if (count < 3)
      say(
        `${execution.kind}  ${execution.toolName ?? execution.method}`,
        `${execution.status} in ${execution.durationMs} ms`,
      );
    count += 1;
  }
  say(`and ${count - 3} more`);
  console.log(`\nDone in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
} finally {
  await service.stop();
  await sandbox.stop();
  rmSync(data, { recursive: true, force: true });
}

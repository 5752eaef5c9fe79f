import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, manage } from '@svc/core';
import { startSandbox } from '@svc/sandbox';
import { demoAgent } from './demo/agent.ts';
import { demoCalendar } from './demo/calendar.ts';
import { authorize, createConnection } from './demo/connect.ts';
import { demoConvintel } from './demo/convintel.ts';
import { demoFilesite } from './demo/filesite.ts';
import { demoNetwork } from './demo/network.ts';
import { demoNotes } from './demo/notesmcp.ts';
import { demoRefusals } from './demo/refusals.ts';
import { demoScraping } from './demo/scrapermcp.ts';
import { chapter, check, say } from './demo/transcript.ts';
import { demoVideo } from './demo/video.ts';
import { demoWorkspace } from './demo/workspace.ts';
import { freePort } from './free-port.ts';
import { startServiceProcess } from './service-process.ts';

const SERVER = path.join(import.meta.dirname, '../packages/server/dist/main.js');

const started = performance.now();
const data = mkdtempSync(path.join(tmpdir(), 'svc-demo-'));
const sandbox = await startSandbox();
const port = await freePort();
const url = `http://localhost:${port}`;
const clientId = 'app_demo';
const clientSecret = randomBytes(32).toString('base64url');
const start = () =>
  startServiceProcess([SERVER], {
    SVC_PORT: String(port),
    SVC_DATA: data,
    SVC_ALLOWED_ORIGINS: sandbox.upstreams.map(({ id }) => `${id}=${sandbox.url}`).join(),
    SVC_FIRST_CLIENT_ID: clientId,
    SVC_FIRST_CLIENT_SECRET: clientSecret,
    SVC_LOG_LEVEL: 'error',
  });
let service = await start();
const svc = manage(createClient({ environmentUrl: url, clientId, clientSecret }));

try {
  chapter(`The service runs on ${url}, and the emulated upstreams run on ${sandbox.url}`);
  for (const upstream of sandbox.upstreams) await createConnection(svc, sandbox, upstream);

  chapter('A user connects an account to each upstream: with real redirects and consent, or with a key');
  const accounts = {
    workspace: await authorize(svc, 'workspace'),
    calendar: await authorize(svc, 'calendar'),
    video: await authorize(svc, 'video'),
    filesite: await authorize(svc, 'filesite'),
    notesmcp: await authorize(svc, 'notesmcp'),
    network: await authorize(svc, 'network'),
    convintel: await authorize(svc, 'convintel'),
    scrapermcp: await authorize(svc, 'scrapermcp'),
  };

  chapter('Workspace');
  await demoWorkspace(svc, accounts.workspace);

  chapter('The service is killed without warning (kill -9) and starts again');
  await service.end('SIGKILL');
  service = await start();
  const { status } = await svc.accounts.get(accounts.calendar);
  check('no account is lost', status === 'authorized');

  chapter('Calendar');
  await demoCalendar(svc, accounts.calendar, sandbox);

  chapter('Video');
  await demoVideo(svc, accounts.video);

  chapter('File site');
  await demoFilesite(svc);

  chapter('Meeting notes');
  await demoNotes(svc, accounts.notesmcp);

  chapter('Professional network');
  await demoNetwork(svc, accounts.network);

  chapter('Conversation intelligence');
  await demoConvintel(svc, accounts.convintel, sandbox);

  chapter('Scraping');
  await demoScraping(svc, accounts.scrapermcp);

  chapter('An agent over MCP, with a token that limits what it may do');
  await demoAgent(svc, url);

  chapter('Invalid inputs are refused, with all broken rules at once');
  await demoRefusals(svc, accounts, sandbox);

  chapter('Executions');
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
  await service.end('SIGTERM');
  await sandbox.stop();
  rmSync(data, { recursive: true, force: true });
}

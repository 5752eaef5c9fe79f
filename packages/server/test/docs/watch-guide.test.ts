import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const GUIDE = readFileSync(path.join(import.meta.dirname, '../../../docs/guides/watches.md'), 'utf8');
// Programs in this folder find the packages of the workspace.
const PROGRAMS = path.join(import.meta.dirname, '../../node_modules/.watch-guide');

let service: Service;
let folder: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  await connectAccount(service, 'calendar');
  mkdirSync(PROGRAMS, { recursive: true });
  folder = mkdtempSync(path.join(PROGRAMS, 'run-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

test('the program of the guide watches a calendar, and returns the same watch at its next start', async () => {
  const [, program = ''] = /^```ts\n(.*?)^```/ms.exec(GUIDE) ?? [];
  // The import of the connector package declares only types.
  const code = stripTypeScriptTypes(program).replace("import '@svc/calendar';", '');
  writeFileSync(path.join(folder, 'watch.mjs'), code);
  const env = {
    ...process.env,
    SVC_ENVIRONMENT_URL: service.url,
    SVC_CLIENT_ID: service.clientId,
    SVC_CLIENT_SECRET: service.clientSecret,
  };
  const run = async () =>
    (await promisify(execFile)(process.execPath, ['watch.mjs'], { cwd: folder, env })).stdout;
  const ids = [await run(), await run()].map(
    (output) => /^The watch (watch_[0-9a-f]{24}) is \w+\n$/.exec(output)?.[1],
  );
  expect(ids[0]).toBeDefined();
  expect(ids[1]).toBe(ids[0]);
});

test('the guide lists every tool that can be watched', async () => {
  const body = {
    connectionName: 'calendar',
    identifier: 'user_42',
    toolName: 'calendar_create_event',
    toolInput: {},
  };
  const reply = await (await signIn(service)).call('POST', '/v1/watches', { body });
  const { error } = reply.json<{ error: { details: { tools: string[] } } }>();
  const [, section = ''] = GUIDE.split('## Lists that can be watched');
  const [table = ''] = section.split('##');
  const listed = [...table.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name);
  expect(listed.toSorted()).toEqual(error.details.tools.toSorted());
});

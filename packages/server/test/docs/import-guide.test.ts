import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../support/service/application.js';
import { issueTokens, ownClient } from '../support/service/issue-tokens.js';
import { type Service, startService } from '../support/service/service.js';

const GUIDE = path.join(import.meta.dirname, '../../../docs/guides/import-tokens.md');
// Programs in this folder find the packages of the workspace.
const PROGRAMS = path.join(import.meta.dirname, '../../node_modules/.import-guide');

let service: Service;
let folder: string;

beforeAll(async () => {
  service = await startService({ connectors: ['workspace'] });
  await service.app.applications.change(service.clientId, { allowTokenImport: true });
  mkdirSync(PROGRAMS, { recursive: true });
  folder = mkdtempSync(path.join(PROGRAMS, 'run-'));
  const [, program = ''] = /^```ts\n(.*?)^```/ms.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  writeFileSync(path.join(folder, 'import.mjs'), stripTypeScriptTypes(program));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

function runProgram(): Promise<{ readonly code: number; readonly output: string }> {
  const env = {
    SVC_ENVIRONMENT_URL: service.url,
    SVC_CLIENT_ID: service.clientId,
    SVC_CLIENT_SECRET: service.clientSecret,
  };
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    execFile(process.execPath, ['import.mjs'], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

test('the script of the guide imports every user, reports a refused one, and continues where it stopped', async () => {
  const { call } = await signIn(service);
  const client = await ownClient(service.sandbox, 'workspace', call);
  const toLine = (identifier: string, tokens: object) =>
    JSON.stringify({ connectionName: 'workspace', identifier, ...tokens });
  const lines: string[] = [];
  for (const identifier of ['ada', 'grace', 'linus'])
    lines.push(toLine(identifier, await issueTokens(service.sandbox, 'workspace', { client })));
  const write = (all: readonly string[]) => writeFileSync(path.join(folder, 'tokens.jsonl'), all.join('\n'));

  write([...lines, toLine('mallory', { accessToken: 'ntn_wrong' })]);
  const first = await runProgram();
  expect(first).toMatchObject({ code: 1, output: expect.stringContaining('3 imported, 1 failed') });
  expect(first.output).toContain('refused accessToken');

  write(lines);
  await service.sandbox.clearRequests();
  expect(await runProgram()).toEqual({ code: 0, output: '3 imported, 0 failed\n' });
  expect(await service.sandbox.requests('workspace')).toEqual([]);
});

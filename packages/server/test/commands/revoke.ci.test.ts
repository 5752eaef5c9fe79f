import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../support/processes/command.js';
import { type Fleet, startFleet } from '../support/processes/fleet.js';
import { newFolder } from '../support/processes/new-folder.js';

const PEOPLE = ['ada', 'grace', 'mary'];

interface Receipt {
  readonly accountId: string;
  readonly identifier: string;
  readonly upstream: string;
  readonly local: string;
}

const readReceipts = (file: string): Receipt[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Runs `accounts revoke` on the service's database. With SQLite, the service must be stopped first. */
async function revoke({ services: [service] }: Fleet, file: string, ...flags: string[]) {
  const { env = {}, data = '', clientId = '' } = service ?? {};
  const words = ['accounts', 'revoke', '--application', clientId, '--connection', 'workspace'];
  const settings = { ...env, SVC_DATA: data };
  return command({ env: settings }, ...words, '--receipts', file, ...(service?.flags ?? []), ...flags);
}

test('O21: revoke ends every account of a connection, writes receipts, and resumes after a kill', async () => {
  const fleet = await startFleet({ count: 1 });
  const { services, databaseGate, connect, call, statusOf, crash, sandbox } = fleet;
  const ids = new Map<string, string>();
  for (const name of PEOPLE) ids.set(name, await connect(name));
  const file = path.join(newFolder(), 'receipts.jsonl');

  expect(await revoke(fleet, file)).toMatchObject({ code: databaseGate ? 2 : 1 });
  if (databaseGate === undefined) {
    expect((await revoke(fleet, file, '--yes')).stderr).toMatch(
      /^Another process of the service uses .+\. Stop it/,
    );
    await services[0]?.kill();
  }
  // Simulates a receipt file of a command that was killed while it wrote the second line.
  writeFileSync(file, `${JSON.stringify({ accountId: 'acct_before' })}\n{"accountId":"acct_torn`);
  const done = await revoke(fleet, file, '--yes');
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toContain('The access of 3 accounts of workspace is revoked');
  const [before, ...receipts] = readReceipts(file);
  expect(before).toEqual({ accountId: 'acct_before' });
  expect(
    receipts.map(({ accountId, identifier, upstream, local }) => [identifier, accountId, upstream, local]),
  ).toEqual(PEOPLE.map((name) => [name, ids.get(name), 'revoked', 'deleted']));
  expect(
    (await sandbox.requests('workspace')).filter((request) => request.path.endsWith('/revoke')),
  ).toHaveLength(3);

  // Simulates a command that was killed after it revoked an account and before it wrote the receipt.
  writeFileSync(file, readFileSync(file, 'utf8').replace(/.*"grace".*\n/, ''));
  const again = await revoke(fleet, file, '--yes', '--json');
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const receipt = readReceipts(file).at(-1);
  expect(receipt).toMatchObject({ identifier: 'grace', upstream: 'revoked', local: 'deleted' });
  expect(again.stdout).toBe(`${JSON.stringify(receipt)}\n`);
  await crash();
  const [service] = services;
  for (const name of PEOPLE) {
    const ended = { status: 'reauthorization_required', statusReason: 'revoked_by_operator' };
    expect(await statusOf(ids.get(name) ?? '')).toMatchObject(ended);
    expect(service && (await call(service, name))).toMatchObject({ status: 409 });
  }
  await connect('ada');
  expect(service && (await call(service, 'ada'))).toMatchObject({ status: 200 });
}, 120_000);

test('O21: revoke deletes and reports accounts that cannot be revoked upstream, and exits with 1', async () => {
  const fleet = await startFleet({ count: 1 });
  const { services, connect, gate, statusOf, crash } = fleet;
  const accountId = await connect('ada');
  await services[0]?.kill();
  await gate.stop();
  const file = path.join(newFolder(), 'receipts.jsonl');
  const { code, stderr } = await revoke(fleet, file, '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^The tokens of all 1 accounts are deleted in the service, but 1 could not be revoked upstream \("ada"\)/,
  );
  expect(readReceipts(file)).toMatchObject([
    { accountId, upstream: expect.stringMatching(/^failed: /), local: 'deleted' },
  ]);
  await crash();
  expect(await statusOf(accountId)).toMatchObject({ statusReason: 'revoked_by_operator' });
}, 120_000);

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { command } from '../support/processes/command.js';
import { newFolder } from '../support/processes/new-folder.js';
import { newDataFolder, runService } from '../support/processes/service-process.js';

/** Creates a database of 64 MiB, so that a backup takes long enough to be killed. */
async function newLargeSetup() {
  const data = newDataFolder();
  const setup = { env: { SVC_DATA: data } };
  expect(await command(setup, 'migrate')).toMatchObject({ code: 0, stderr: '' });
  const large = new Sqlite(path.join(data, 'svc.db'));
  large.exec('create table ballast (bytes blob)');
  for (let megabyte = 0; megabyte < 64; megabyte += 1)
    large.prepare('insert into ballast values (randomblob(1048576))').run();
  large.close();
  return setup;
}

test('a killed backup leaves no file under its name, and the next one succeeds', async () => {
  const setup = await newLargeSetup();
  const folder = newFolder();
  const file = path.join(folder, 'backup.db');
  const killed = runService({ flags: ['backup', file], ...setup });
  await vi.waitUntil(() => readdirSync(folder).length > 0, { timeout: 30_000, interval: 1 });
  killed.signal('SIGKILL');
  expect((await killed.ended).code).toBe(null);
  expect(readdirSync(folder)).not.toEqual([]);
  expect(existsSync(file)).toBe(false);

  expect(await command(setup, 'backup', file)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(folder)).toEqual(['backup.db']);
  const copy = new Sqlite(file, { readonly: true });
  expect(copy.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(copy.prepare('select count(*) as rows from ballast').get()).toEqual({ rows: 64 });
  copy.close();
}, 120_000);

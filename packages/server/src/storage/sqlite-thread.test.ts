import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { openInThread, prepareThread } from './sqlite-thread.js';

const statementOf = (sql: string) => ({ sql, parameters: [], inTransaction: false });

async function open(file: string) {
  const runner = await openInThread(file);
  onTestFinished(runner.close);
  return runner;
}

test('a prepared thread serves only the first file', async () => {
  const folder = newFolder();
  prepareThread();
  const [first, second] = [await open(path.join(folder, 'a.db')), await open(path.join(folder, 'b.db'))];
  await first.run(statementOf('create table a (x)'));
  await second.run(statementOf('create table b (x)'));
  const names = statementOf('select name from sqlite_master');
  expect((await first.run(names)).rows).toEqual([{ name: 'a' }]);
  expect((await second.run(names)).rows).toEqual([{ name: 'b' }]);
});

test('a file that cannot be opened ends its thread, and the next file gets a new one', async () => {
  const folder = newFolder();
  prepareThread();
  await expect(open(path.join(folder, 'none', 'a.db'))).rejects.toThrow('directory does not exist');
  const { rows } = await (await open(path.join(folder, 'a.db'))).run(statementOf('select 1 as one'));
  expect(rows).toEqual([{ one: 1 }]);
});

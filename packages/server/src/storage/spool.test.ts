import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { openSpool } from './spool.js';

test('R5: a spool file is private and persists until it is removed', async () => {
  const folder = path.join(newFolder(), 'spool');
  const { write, read, remove } = openSpool(folder);
  expect(await read()).toEqual(new Map());
  await write('acct_1.7', 'one');
  await write('acct_2.1', 'two');
  await write('acct_1.7', 'three');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'acct_1.7.sealed')).mode & 0o777).toBe(0o600);
  expect(await openSpool(folder).read()).toEqual(
    new Map([
      ['acct_1.7', 'three'],
      ['acct_2.1', 'two'],
    ]),
  );
  await remove('acct_1.7');
  await remove('acct_1.7');
  expect([...(await read()).keys()]).toEqual(['acct_2.1']);
});

test('R5: an incompletely written spool file is ignored', async () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'acct_1.7.sealed.new'), 'thr');
  expect(await openSpool(folder).read()).toEqual(new Map());
});

import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { makeDataFolder } from './data-folder.js';

test('the data folder is created for this user only, and created folders are removed', () => {
  const outer = newFolder();
  const folder = path.join(outer, 'a/b');
  const { undo } = makeDataFolder(folder);
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  undo();
  expect([existsSync(path.join(outer, 'a')), existsSync(outer)]).toEqual([false, true]);
});

test('existing folders and folders with files are not removed', () => {
  const outer = newFolder();
  const before = path.join(outer, 'before');
  mkdirSync(before);
  makeDataFolder(before).undo();
  expect(existsSync(before)).toBe(true);
  const folder = path.join(outer, 'a/b');
  const { undo } = makeDataFolder(folder);
  writeFileSync(path.join(folder, 'svc.db'), '');
  undo();
  expect(existsSync(path.join(folder, 'svc.db'))).toBe(true);
});

test.skipIf(process.platform !== 'linux')('a place where no folder can be created is refused', () => {
  expect(() => makeDataFolder('/proc/1/data/svc')).toThrow('cannot be created');
});

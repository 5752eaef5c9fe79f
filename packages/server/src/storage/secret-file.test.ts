import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/new-folder.js';
import { writeSecretFile } from './secret-file.js';

test('makes a file for this user alone', () => {
  const folder = newFolder();
  const file = writeSecretFile(folder, 'first-secrets', 'hush\n');
  expect([file, readFileSync(file, 'utf8')]).toEqual([path.join(folder, 'first-secrets'), 'hush\n']);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
});

test('follows no link and writes over nothing', () => {
  const folder = newFolder();
  const elsewhere = path.join(newFolder(), 'elsewhere');
  symlinkSync(elsewhere, path.join(folder, 'first-secrets'));
  writeFileSync(path.join(folder, 'first-secrets-2'), 'of another start');
  expect(writeSecretFile(folder, 'first-secrets', 'hush')).toBe(path.join(folder, 'first-secrets-3'));
  expect(existsSync(elsewhere)).toBe(false);
  expect(readFileSync(path.join(folder, 'first-secrets-2'), 'utf8')).toBe('of another start');
});

test('says what to do where it cannot', () => {
  const file = writeSecretFile(newFolder(), 'first-secrets', '');
  expect(() => writeSecretFile(file, 'first-secrets', 'hush')).toThrow(
    /^The first secrets could not be written to .+ are lost; .+`svc-server apps secrets add`/,
  );
});

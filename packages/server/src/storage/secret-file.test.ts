import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { FIRST_SECRETS, replaceSecretFile, SIGN_IN_LINK, writeSecretFile } from './secret-file.js';

test('a secret file is readable only by its user', () => {
  const folder = newFolder();
  const file = writeSecretFile(folder, FIRST_SECRETS, 'hush\n');
  expect([file, readFileSync(file, 'utf8')]).toEqual([path.join(folder, 'first-secrets'), 'hush\n']);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
});

test('a new secret file follows no link and overwrites no file', () => {
  const folder = newFolder();
  const elsewhere = path.join(newFolder(), 'elsewhere');
  symlinkSync(elsewhere, path.join(folder, 'first-secrets'));
  writeFileSync(path.join(folder, 'first-secrets-2'), 'of another start');
  expect(writeSecretFile(folder, FIRST_SECRETS, 'hush')).toBe(path.join(folder, 'first-secrets-3'));
  expect(existsSync(elsewhere)).toBe(false);
  expect(readFileSync(path.join(folder, 'first-secrets-2'), 'utf8')).toBe('of another start');
});

test('an unwritable secret file gives an error with the remedy', () => {
  const file = writeSecretFile(newFolder(), FIRST_SECRETS, '');
  expect(() => writeSecretFile(file, FIRST_SECRETS, 'hush')).toThrow(
    /cannot be written, so the secrets of the first start are lost\. .+ then create new ones with `svc-server apps secrets add`/,
  );
});

test('a replaced secret file follows no link', () => {
  const folder = newFolder();
  const elsewhere = path.join(newFolder(), 'elsewhere');
  writeFileSync(elsewhere, 'of somebody else');
  symlinkSync(elsewhere, path.join(folder, 'sign-in-link'));
  for (const text of ['first', 'second']) {
    const file = replaceSecretFile(folder, SIGN_IN_LINK, text);
    expect([file, readFileSync(file, 'utf8')]).toEqual([path.join(folder, 'sign-in-link'), text]);
  }
  expect(readFileSync(elsewhere, 'utf8')).toBe('of somebody else');
});

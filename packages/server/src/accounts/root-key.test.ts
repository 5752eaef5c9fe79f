import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceParts } from '../../test/support/service-parts.js';
import { checkRootKey, deriveRootKey, loadRootKey } from './root-key.js';

const KEY = Buffer.alloc(32, 7);

function temporaryFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'root.key');
}

const load = (value: string | undefined, file = '/nowhere/root.key') =>
  loadRootKey({ value, file, random: randomBytes });

test.each([
  { title: 'hex', value: KEY.toString('hex') },
  { title: 'base64', value: KEY.toString('base64') },
  { title: 'base64url', value: KEY.toString('base64url') },
  { title: 'base64 with a line break', value: `${KEY.toString('base64')}\n` },
])('reads a key as $title', ({ value }) => {
  expect(load(value).id).toBe(deriveRootKey(KEY).id);
});

test.each([
  { title: 'empty', value: '' },
  { title: 'too short', value: randomBytes(31).toString('hex') },
  { title: 'too long', value: randomBytes(33).toString('base64') },
  { title: 'a pass phrase', value: 'correct horse battery staple' },
])('refuses a key that is $title', ({ value }) => {
  expect(() => load(value)).toThrow(/^SVC_ROOT_KEY is not a root key; give 32 random bytes/);
});

test('makes a key file that only its owner may read, and uses it from then on', () => {
  const file = temporaryFile();
  const made = load(undefined, file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(load(undefined, file).id).toBe(made.id);
});

test('refuses a damaged key file instead of making a new key', () => {
  const file = temporaryFile();
  writeFileSync(file, 'damaged');
  expect(() => load(undefined, file)).toThrow(/is not a root key/);
  expect(readFileSync(file, 'utf8')).toBe('damaged');
});

test('refuses another key than the one that the database was made with', async () => {
  const { storage } = await createServiceParts();
  const right = deriveRootKey(KEY);
  await checkRootKey(right, storage);
  await checkRootKey(right, storage);
  await expect(checkRootKey(deriveRootKey(randomBytes(32)), storage)).rejects.toThrow(
    /not the one that this database was made with; set SVC_ROOT_KEY/,
  );
});

test('digests of the same value for different purposes differ', () => {
  const { digest } = deriveRootKey(KEY);
  expect(digest('state', 'value')).not.toBe(digest('cookie', 'value'));
});

test('printing a root key shows no key', () => {
  const rootKey = deriveRootKey(KEY);
  const shown = inspect(rootKey, { depth: 5 }) + JSON.stringify(rootKey);
  expect(shown).not.toContain(rootKey.wrappingKey().toString('hex').slice(0, 8));
  expect(shown).not.toContain('Buffer');
});

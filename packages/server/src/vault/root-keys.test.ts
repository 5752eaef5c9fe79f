import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import type { KeyLocation } from './ciphertext.js';
import { loadRootKeys } from './load-root-keys.js';
import { createLocalRootKey, ROOT_KEY_BYTES } from './local-root-key.js';
import { createRootKeys } from './root-keys.js';

const KEY = Buffer.alloc(32, 7);
const PLAIN = Buffer.from('a data key of thirty-two bytes..');
const location: KeyLocation = {
  applicationId: 'app_1',
  table: 'data_keys',
  rowId: 'key_1',
  column: 'wrapped_key',
};

const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65534;

const newFile = () => path.join(newFolder(), 'root.key');

const load = (value: string | undefined, { file = '/nowhere/root.key', previous = [] as string[] } = {}) =>
  loadRootKeys({ value, previous, file, random: randomBytes });

test.each([
  { title: 'hex', value: KEY.toString('hex') },
  { title: 'base64', value: KEY.toString('base64') },
  { title: 'base64url', value: KEY.toString('base64url') },
  { title: 'base64 with a line break', value: `${KEY.toString('base64')}\n` },
])('a root key is read as $title', async ({ value }) => {
  expect((await load(value)).ids()).toEqual([createLocalRootKey(KEY).id]);
});

test.each([
  { title: 'empty', value: '' },
  { title: 'too short', value: randomBytes(31).toString('hex') },
  { title: 'too long', value: randomBytes(33).toString('base64') },
  { title: 'a passphrase', value: 'correct horse battery staple' },
])('K3: a root key that is $title is refused', async ({ value }) => {
  await expect(load(value)).rejects.toThrow(
    /^SVC_ROOT_KEY is not a root key\. A root key is 32 random bytes/,
  );
  await expect(load(KEY.toString('hex'), { previous: [value] })).rejects.toThrow(
    /^Entry 1 of SVC_PREVIOUS_ROOT_KEYS is not a root key\. Set this entry to an earlier value of SVC_ROOT_KEY/,
  );
});

test('K2: a wrapped key cannot be unwrapped in another row, column or application', async () => {
  const keys = await load(KEY.toString('hex'));
  const wrapped = await keys.wrap(location, PLAIN);
  expect(await keys.unwrap(location, wrapped)).toEqual(PLAIN);
  const others: KeyLocation[] = [
    { ...location, rowId: 'key_2' },
    { ...location, applicationId: 'app_2' },
    { ...location, table: 'settings', column: 'value' },
  ];
  for (const other of others)
    await expect(keys.unwrap(other, wrapped)).rejects.toThrow(/cannot be decrypted/);
});

test('K4: previous keys unwrap, and the current one wraps', async () => {
  const old = await load(KEY.toString('hex'));
  const wrapped = await old.wrap(location, PLAIN);
  const value = randomBytes(32).toString('hex');
  await expect((await load(value)).unwrap(location, wrapped)).rejects.toThrow(/cannot be decrypted/);
  const keys = await load(value, { previous: [KEY.toString('base64')] });
  expect(await keys.unwrap(location, wrapped)).toEqual(PLAIN);
  const wrappedAgain = await keys.wrap(location, PLAIN);
  expect([keys.isCurrent(wrapped), keys.isCurrent(wrappedAgain)]).toEqual([false, true]);
  expect(await (await load(value)).unwrap(location, wrappedAgain)).toEqual(PLAIN);
});

test('K4: a wrapped key that cannot be unwrapped again is refused', async () => {
  const key = createLocalRootKey(KEY);
  const keys = createRootKeys(() => [{ ...key, unwrap: async () => randomBytes(32) }]);
  await expect(keys.wrap(location, PLAIN)).rejects.toThrow(/cannot be decrypted/);
});

describe('a root key file', () => {
  test('is created for its owner only and then reused', async () => {
    const file = newFile();
    const made = await load(undefined, { file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await load(undefined, { file })).ids()).toEqual(made.ids());
    expect((await load(`file:${file}`)).ids()).toEqual(made.ids());
  });

  test('K3: is refused when it is damaged, and no new key is created', async () => {
    const file = newFile();
    writeFileSync(file, 'damaged');
    await expect(load(undefined, { file })).rejects.toThrow(
      /^Line 1 of the root key file .+ is not a root key\. Restore the file/,
    );
    expect(readFileSync(file, 'utf8')).toBe('damaged');
  });

  test('K3: is refused when the operator names it and it is missing', async () => {
    await expect(load(`file:${newFile()}`)).rejects.toThrow(
      /^The root key file .+ does not exist\. Restore the file/,
    );
  });

  test('K4: wraps with a key that another process added, and still unwraps with the previous one', async () => {
    const file = newFile();
    const [running, other] = [await load(undefined, { file }), await load(undefined, { file })];
    const wrapped = await running.wrap(location, PLAIN);
    const id = other.keyFile?.add();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const wrappedAgain = await other.wrap(location, PLAIN);
    for (const keys of [running, other]) {
      expect(await keys.unwrap(location, wrapped)).toEqual(PLAIN);
      expect(await keys.unwrap(location, wrappedAgain)).toEqual(PLAIN);
      expect(keys.isCurrent(await keys.wrap(location, PLAIN))).toBe(true);
      expect(keys.ids()[0]).toBe(id);
    }
  });

  test('K4: keeps the first key and those in use, and deletes the others', async () => {
    const file = newFile();
    const { keyFile, ids } = await load(undefined, { file });
    keyFile?.add();
    keyFile?.add();
    const [first, second, third] = ids();
    expect(keyFile?.deleteExcept(new Set([`${third}`]))).toEqual([second]);
    expect(ids()).toEqual([first, third]);
    expect(keyFile?.deleteExcept(new Set())).toEqual([third]);
    expect(keyFile?.deleteExcept(new Set())).toEqual([]);
  });

  test('K4: keeps its mode and owner when keys are added and removed', async () => {
    const file = newFile();
    const { keyFile } = await load(undefined, { file });
    chmodSync(file, 0o640);
    if (IS_ROOT) chownSync(file, NOBODY, NOBODY);
    const accessOf = ({ mode, uid, gid }: Stats) => ({ mode, uid, gid });
    const before = accessOf(statSync(file));
    keyFile?.add();
    expect(accessOf(statSync(file))).toEqual(before);
    keyFile?.deleteExcept(new Set());
    expect(accessOf(statSync(file))).toEqual(before);
  });

  test.each([
    { title: 'allows no file next to it', name: 'k'.repeat(255), prevent: () => undefined },
    {
      title: 'is replaced at the last moment',
      name: 'root.key',
      prevent: (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
    },
  ])('K4: is not changed when it $title, and the error explains the next step', async ({ name, prevent }) => {
    const folder = newFolder();
    const file = path.join(folder, name);
    writeFileSync(file, `${KEY.toString('base64')}\n${randomBytes(32).toString('base64')}\n`);
    const random = (bytes: number) => {
      if (bytes !== ROOT_KEY_BYTES) prevent(file);
      return randomBytes(bytes);
    };
    const { keyFile } = await loadRootKeys({ value: `file:${file}`, previous: [], file, random });
    expect(() => keyFile?.add()).toThrow(
      /cannot be replaced \(.+\), so no new key was added\. Create a key .+ --root --finish/,
    );
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('wraps no key after it vanished, and still unwraps opened ones', async () => {
    const file = newFile();
    const keys = await load(undefined, { file });
    const wrapped = await keys.wrap(location, PLAIN);
    rmSync(file);
    await expect(keys.wrap(location, PLAIN)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await keys.unwrap(location, wrapped)).toEqual(PLAIN);
  });
});

test('K8: printing a root key reveals no key', async () => {
  const keys = await load(undefined, { file: newFile() });
  const printed = [keys, createLocalRootKey(KEY)].map(
    (each) => inspect(each, { depth: 9 }) + JSON.stringify(each),
  );
  expect(printed.join()).not.toContain('Buffer');
  expect(printed.join()).not.toContain(KEY.toString('hex'));
});

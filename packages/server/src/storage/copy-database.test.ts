import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { link } from 'node:fs/promises';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, expect, test, vi } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { copyDatabase } from './copy-database.js';
import { openHere } from './sqlite-thread.js';

vi.mock('node:fs/promises', async (load) => ({ ...(await load<object>()), link: vi.fn() }));
const withLinks = (await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')).link;
beforeEach(() => void vi.mocked(link).mockImplementation(withLinks));

/**
 * Copies a database with one row into `file`. Calls `meanwhile` after each statement of the copy, to test concurrent
 * changes.
 */
async function copyWhile(file: string, meanwhile: () => void): Promise<void> {
  const { run, close } = openHere(':memory:');
  const statement = { parameters: [], inTransaction: false };
  await run({ ...statement, sql: "create table texts as select 'whole' as text" });
  const disturbed = async (given: Parameters<typeof run>[0]) => {
    const outcome = await run(given);
    meanwhile();
    return outcome;
  };
  await copyDatabase({ run: disturbed, close }, file).finally(close);
}

const newFile = () => path.join(newFolder(), 'backup.db');

function expectWhole(file: string): void {
  const copy = new Sqlite(file, { readonly: true });
  expect(copy.prepare('select text from texts').all()).toEqual([{ text: 'whole' }]);
  copy.close();
}

test.each([
  { title: 'hard links', code: undefined },
  { title: 'no hard links', code: 'EPERM' },
])(
  'a copy on a file system with $title is complete, leaves no other file, and replaces none',
  async ({ code }) => {
    if (code !== undefined) vi.mocked(link).mockRejectedValue(Object.assign(new Error(code), { code }));
    const file = newFile();
    writeFileSync(`${file}.partial`, 'what a copy left that was interrupted');
    writeFileSync(`${file}.partial-journal`, 'and its journal');
    await copyWhile(file, () => undefined);
    expect(readdirSync(path.dirname(file))).toEqual(['backup.db']);
    expectWhole(file);

    const taken = newFile();
    const appeared = copyWhile(taken, () => writeFileSync(taken, 'of somebody else'));
    await expect(appeared).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/already exists/),
    });
    expect(readFileSync(taken, 'utf8')).toBe('of somebody else');
    expect(readdirSync(path.dirname(taken))).toEqual(['backup.db']);
  },
);

test('a copy that was replaced by another one does not get the file name', async () => {
  const file = newFile();
  const begun = copyWhile(file, () => {
    renameSync(`${file}.partial`, `${file}.former`);
    writeFileSync(`${file}.partial`, 'half of another copy');
  });
  await expect(begun).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^Another backup/),
  });
  expect(readdirSync(path.dirname(file))).toEqual(['backup.db.former']);
});

test('a disk error is explained and leaves no file', async () => {
  vi.mocked(link).mockRejectedValue(Object.assign(new Error('EIO'), { code: 'EIO', errno: -5 }));
  const file = newFile();
  await expect(copyWhile(file, () => undefined)).rejects.toThrow(
    `The file ${file} cannot be written (i/o error). Check the folder and the disk, or use a file in another folder.`,
  );
  expect(readdirSync(path.dirname(file))).toEqual([]);
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { UsageError } from '../config/usage-error.js';
import { openReceipts } from './receipt-file.js';

const ONE = '{"accountId":"acct_1","identifier":"ada"}\n';

test.each([
  { title: 'one line of other data', text: '{"customers":[1,2,3]}' },
  { title: 'a whole line of other data', text: '{"customers":[1,2,3]}\n' },
  { title: 'a text', text: 'Dear Ada,\nnothing of this is a receipt.\n' },
  { title: 'a text after a receipt', text: `${ONE}and more` },
  { title: 'a line that is no receipt', text: `${ONE}{"accountId":7}\n${ONE}` },
  { title: 'a line that is no object', text: `${ONE}null\n` },
])('a file with $title is refused and not changed', async ({ text }) => {
  const file = path.join(newFolder(), 'important.json');
  writeFileSync(file, text);
  const refused = new UsageError(
    `The file ${file} contains other data than receipts of revoked accounts. Set --receipts to a new file.`,
  );
  await expect(openReceipts(file)).rejects.toEqual(refused);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each([
  { title: 'in a missing folder', name: 'none/receipts.jsonl', says: /no such file or directory/ },
  { title: 'that is a folder', name: 'folder', says: /illegal operation on a directory/ },
])('a file $title is a usage error in one sentence', async ({ name, says }) => {
  const folder = newFolder();
  mkdirSync(path.join(folder, 'folder'));
  const opened = openReceipts(path.join(folder, name));
  await expect(opened).rejects.toThrow(UsageError);
  await expect(opened).rejects.toThrow(/ cannot be written \(.+\)\. Set --receipts to another file\.$/);
  await expect(opened).rejects.toThrow(says);
  expect(existsSync(path.join(folder, 'none'))).toBe(false);
});

test.each([
  { title: 'an empty line', torn: '' },
  { title: 'the first letters of a receipt', torn: '{"acc' },
  { title: 'half a receipt', torn: '{"accountId":"acct_2","identifier":"gr\u00fc' },
])('a receipt file is resumed after $title that was not completely written', async ({ torn }) => {
  const file = path.join(newFolder(), 'receipts.jsonl');
  // Cuts the last byte. In the third case this splits the two bytes of "ü".
  writeFileSync(file, Buffer.from(ONE + torn).subarray(0, torn.length === 0 ? undefined : -1));
  const receipts = await openReceipts(file);
  expect([receipts.has('acct_1'), receipts.has('acct_2')]).toEqual([true, false]);
  await receipts.add({ accountId: 'acct_2' });
  await receipts.close();
  expect(readFileSync(file, 'utf8')).toBe(`${ONE}{"accountId":"acct_2"}\n`);
});

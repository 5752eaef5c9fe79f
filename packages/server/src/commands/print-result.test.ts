import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import type { CommandLine, CommandResult } from './command.js';
import { printResult } from './print-result.js';
import { createProgress } from './progress.js';
import { openReceipts } from './receipt-file.js';
import { formatFacts, formatTable } from './table.js';

// Terminal attacks: clear screen (ESC and C1), bell, carriage return, backspace, bidi overrides, line separators.
const HOSTILE = 'Ada\u001b[2J\u009b2J\u0007\r\b\u007f\u202egnp.exe\u2066\u200f\u061c\u2028\u2029\u0000end';
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

async function printed(result: CommandResult | AsyncIterable<CommandLine>, asJson = false): Promise<string> {
  let text = '';
  const output = new Writable({
    write: (chunk, _, done) => {
      text += String(chunk);
      done();
    },
  });
  await printResult(output, result, { asJson });
  return text;
}

async function* lines(): AsyncIterable<CommandLine> {
  yield { data: { name: HOSTILE }, text: `one ${HOSTILE}` };
  yield { data: { name: 'a bar shows it' } };
  yield { text: `${HOSTILE} is over.` };
}

const result: CommandResult = {
  data: { items: [{ name: HOSTILE }] },
  text: [
    formatTable([{ name: HOSTILE, id: `1\n${HOSTILE}` }], ''),
    formatFacts({ name: HOSTILE }),
    `${HOSTILE} is deleted.`,
  ].join('\n'),
};

test.each([
  { title: 'a text', print: () => printed(result), count: 4 },
  { title: 'a JSON document', print: () => printed(result, true), count: 7 },
  { title: 'a list of lines', print: () => printed(lines()), count: 2 },
  { title: 'a list of JSON lines', print: () => printed(lines(), true), count: 2 },
])('K6: $title contains no terminal control characters', async ({ print, count }) => {
  const text = await print();
  expect(text.endsWith('\n')).toBe(true);
  const all = text.slice(0, -1).split('\n');
  expect(all).toHaveLength(count);
  expect(all.filter((line) => OBEYED.test(line))).toEqual([]);
  expect(text).toContain('\\u001b[2J\\u009b2J');
});

test('escaped JSON parses to the same data', async () => {
  expect(JSON.parse(await printed(result, true))).toEqual(result.data);
  const output = (await printed(lines(), true)).trimEnd().split('\n');
  expect(output.map((line) => JSON.parse(line))).toEqual([{ name: HOSTILE }, { name: 'a bar shows it' }]);
});

test('K6: a progress bar contains no terminal control characters except a carriage return', () => {
  const written: string[] = [];
  const stream = { isTTY: true, write: (text: string) => written.push(text) };
  createProgress(stream, { title: HOSTILE, total: 2 }).add(1);
  expect(written).toHaveLength(2);
  for (const text of written) expect(text.replace(/^\r/, '')).not.toMatch(OBEYED);
});

test('K6: a receipt contains no terminal control characters', async () => {
  const file = path.join(newFolder(), 'receipts.jsonl');
  const receipts = await openReceipts(file);
  await receipts.add({ accountId: HOSTILE });
  await receipts.close();
  const line = readFileSync(file, 'utf8').slice(0, -1);
  expect(line).not.toMatch(OBEYED);
  expect(JSON.parse(line)).toEqual({ accountId: HOSTILE });
});

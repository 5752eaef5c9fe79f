import { expect, test } from 'vitest';
import { chunksOf } from './linked-file.js';

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test.each([
  { title: 'shorter than a chunk', given: ['ab'], chunks: ['0 ab last'] },
  { title: 'as long as a chunk', given: ['ab', 'c'], chunks: ['0 abc last'] },
  {
    title: 'longer than a chunk',
    given: ['abcd', 'efghi', 'j'],
    chunks: ['0 abc', '3 def', '6 ghi', '9 j last'],
  },
  { title: 'as long as two chunks', given: ['abcdef'], chunks: ['0 abc', '3 def last'] },
  { title: 'empty', given: [], chunks: ['0  last'] },
])('a file that is $title is divided into chunks in order', async ({ given, chunks }) => {
  const found: string[] = [];
  for await (const { bytes, start, isLast } of chunksOf(pieces(...given), 3))
    found.push(`${start} ${bytes}${isLast ? ' last' : ''}`);
  expect(found).toEqual(chunks);
});

import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { rewriteJson } from './rewrite-json.js';

const rewrite = (value: string): string | undefined =>
  value.startsWith('https://own.example/')
    ? `http://svc/p/${value.slice('https://own.example/'.length)}`
    : undefined;

async function through(chunks: readonly (string | Buffer)[]): Promise<string> {
  const bytes = chunks.map((chunk) => Buffer.from(chunk));
  const passed = Readable.from(bytes).pipe(rewriteJson(['@odata.nextLink', 'next'], rewrite));
  return Buffer.concat(await passed.toArray()).toString('utf8');
}

const CASES = [
  {
    title: 'a link of an own host',
    given: '{"value":[1],"@odata.nextLink":"https://own.example/a?b=1"}',
    passed: '{"value":[1],"@odata.nextLink":"http://svc/p/a?b=1"}',
  },
  {
    title: 'two of them, with spaces, in depth',
    given:
      '{ "a" : { "next" : "https://own.example/1" }, "b": [{"@odata.nextLink"\n:\t"https://own.example/2"}] }',
    passed: '{ "a" : { "next" : "http://svc/p/1" }, "b": [{"@odata.nextLink"\n:\t"http://svc/p/2"}] }',
  },
  {
    title: 'one with escapes',
    given: '{"next":"https:\\/\\/own.example\\/a\\u0026b"}',
    passed: '{"next":"http://svc/p/a&b"}',
  },
  { title: 'a link of another host', given: '{"next":"https://other.example/a"}' },
  { title: 'another member', given: '{"webUrl":"https://own.example/a","nextt":"https://own.example/a"}' },
  {
    title: 'what is no text',
    given: '{"next":null,"@odata.nextLink":7,"x":{"next":["https://own.example/a"]}}',
  },
  {
    title: 'a text that only speaks of it',
    given: '{"a":"\\"next\\":\\"https://own.example/a\\"","b":"next"}',
  },
  { title: 'a key that ends like it', given: '{"x\\"next":"https://own.example/a"}' },
  { title: 'a value that is called so', given: '["next","https://own.example/a"]' },
  { title: 'every byte of other texts', given: '{"ü":"\u2028 é 🎈 \\u00e9","n":1.50e+3 ,"next"  :"é"}' },
  { title: 'a document that breaks off', given: '{"next":"https://own.exam' },
  { title: 'a document that ends with the key', given: '{"a":1,"next"' },
  { title: 'what is no JSON', given: 'next":"https://own.example/a" "next" : \\' },
];

describe('a body on its way', () => {
  test.each(CASES)('keeps everything but links: $title', async ({ given, passed = given }) => {
    const bytes = Buffer.from(given);
    expect(await through([bytes])).toBe(passed);
    // Wherever the network cuts it.
    for (let at = 1; at < bytes.length; at += 1)
      expect(await through([bytes.subarray(0, at), bytes.subarray(at)])).toBe(passed);
    expect(await through(Array.from(bytes, (byte) => Buffer.from([byte])))).toBe(passed);
  });

  test('waits for the end of no text that is longer than any link', async () => {
    const long = `https://own.example/${'a'.repeat(40_000)}`;
    const given = `{"next":"${long}","b":{"next":"https://own.example/c"}}`;
    const chunks = given.match(/.{1,1000}/gs) ?? [];
    expect(await through(chunks)).toBe(`{"next":"${long}","b":{"next":"http://svc/p/c"}}`);
  });
});

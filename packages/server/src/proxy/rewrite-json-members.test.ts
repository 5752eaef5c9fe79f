import { describe, expect, test } from 'vitest';
import { cpuOf, TIMED } from '../../test/support/processes/cpu-of.js';
import { rewriteJsonMembers } from './rewrite-json-members.js';

const rewrite = (value: string): string | undefined =>
  value.startsWith('https://own.example/')
    ? `http://svc/p/${value.slice('https://own.example/'.length)}`
    : undefined;

const through = (chunks: readonly (string | Buffer)[]): string =>
  passThrough(chunks.map((chunk) => Buffer.from(chunk)));

function passThrough(bytes: readonly Buffer[]): string {
  const { take, rest } = rewriteJsonMembers(['@odata.nextLink', 'next'], rewrite);
  return Buffer.concat([...bytes.map(take), rest()]).toString('utf8');
}

const CASES = [
  {
    title: 'a link of a known host',
    given: '{"value":[1],"@odata.nextLink":"https://own.example/a?b=1"}',
    passed: '{"value":[1],"@odata.nextLink":"http://svc/p/a?b=1"}',
  },
  {
    title: 'two nested links with spaces',
    given:
      '{ "a" : { "next" : "https://own.example/1" }, "b": [{"@odata.nextLink"\n:\t"https://own.example/2"}] }',
    passed: '{ "a" : { "next" : "http://svc/p/1" }, "b": [{"@odata.nextLink"\n:\t"http://svc/p/2"}] }',
  },
  {
    title: 'an escaped link',
    given: '{"next":"https:\\/\\/own.example\\/a\\u0026b"}',
    passed: '{"next":"http://svc/p/a&b"}',
  },
  {
    title: 'escaped keys',
    given: '{"n\\u0065xt":"https://own.example/1","\\u0040odata.next\\u004Cink":"https://own.example/2"}',
    passed: '{"next":"http://svc/p/1","@odata.nextLink":"http://svc/p/2"}',
  },
  {
    title: 'a key with an escaped backslash',
    given: '{"n\\\\u0065xt":"https://own.example/1","a":"\\\\\\u0041"}',
    passed: '{"n\\\\u0065xt":"https://own.example/1","a":"\\\\A"}',
  },
  {
    title: 'necessary and broken escapes',
    given: '{"a":"\\u0022next\\u0022:\\u005c\\u000a\\u00e9\\n\\/","b":"\\u00zz',
  },
  { title: 'a link of another host', given: '{"next":"https://other.example/a"}' },
  {
    title: 'similar property names',
    given: '{"webUrl":"https://own.example/a","nextt":"https://own.example/a"}',
  },
  {
    title: 'values that are not strings',
    given: '{"next":null,"@odata.nextLink":7,"x":{"next":[7,"https://own.example/a"]}}',
  },
  {
    title: 'a list of links and the data after it',
    given:
      '{"next":[ "https://own.example/1" ,"https://other.example/2",\n"https://own.example/3"],"webUrl":"https://own.example/4","next":[]}',
    passed:
      '{"next":[ "http://svc/p/1" ,"https://other.example/2",\n"http://svc/p/3"],"webUrl":"https://own.example/4","next":[]}',
  },
  {
    title: 'links of several documents',
    given: '{"next":"https://own.example/1"}\n{"next":["https://own.example/2"]}\n',
    passed: '{"next":"http://svc/p/1"}\n{"next":["http://svc/p/2"]}\n',
  },
  {
    title: 'a string that contains JSON',
    given: '{"a":"\\"next\\":\\"https://own.example/a\\"","b":"next"}',
  },
  { title: 'a key with the same ending', given: '{"x\\"next":"https://own.example/a"}' },
  { title: 'a value that equals the key', given: '["next","https://own.example/a"]' },
  { title: 'other strings', given: '{"ü":"\u2028 é 🎈 \\u00e9","n":1.50e+3 ,"next"  :"é"}' },
  { title: 'a truncated document', given: '{"next":"https://own.exam' },
  { title: 'a document that ends with the key', given: '{"a":1,"next"' },
  { title: 'invalid JSON', given: 'next":"https://own.example/a" "next" : \\' },
];

describe('a streamed body', () => {
  test.each(CASES)('keeps everything except links: $title', ({ given, passed = given }) => {
    const bytes = Buffer.from(given);
    expect(through([bytes])).toBe(passed);
    // Tests every cut into two chunks, and chunks of one byte, because the network may split a response body anywhere.
    for (let at = 1; at < bytes.length; at += 1)
      expect(through([bytes.subarray(0, at), bytes.subarray(at)])).toBe(passed);
    expect(through(Array.from(bytes, (byte) => Buffer.from([byte])))).toBe(passed);
  });

  test('has a link rewritten whose slashes are all escaped', () => {
    const given = `{"next":"https:\\/\\/own.example\\/${'a\\/'.repeat(8000)}"}`;
    const chunks = given.match(/.{1,1000}/gs) ?? [];
    expect(through(chunks)).toBe(`{"next":"http://svc/p/${'a/'.repeat(8000)}"}`);
  });

  test('is not buffered for strings longer than any link', () => {
    const long = `https://own.example/${'a'.repeat(120_000)}`;
    const given = `{"next":"${long}","b":{"next":"https://own.example/c"}}`;
    const chunks = given.match(/.{1,1000}/gs) ?? [];
    expect(through(chunks)).toBe(`{"next":"${long}","b":{"next":"http://svc/p/c"}}`);
  });
});

const LONG = `"next":"https://own.example/${'a'.repeat(3000)}",`;
const HOSTILE = [
  { title: 'a string in single bytes', bytes: 1, part: 'a', begin: '{"next":"' },
  { title: 'strings in single bytes', bytes: 1, part: LONG, begin: '{' },
  { title: 'spaces in single bytes', bytes: 1, part: ' ', begin: '{"next"' },
  { title: 'an endless string', bytes: 2, part: '\\"', begin: '{"next":"' },
  ...['"next":1,', '"next"', '"next":"a",', '"nex', '"', '\\"next":"', LONG].map((part) => ({
    title: `many of ${part.slice(0, 20)}`,
    bytes: 64 * 1024,
    part,
    begin: '',
  })),
];

test.each(HOSTILE)('F9: is read in linear time: $title', TIMED, async ({ bytes, part, begin }) => {
  const timeOf = async (size: number) => {
    const given = begin + part.repeat(Math.ceil(size / part.length));
    const chunks = Array.from({ length: Math.ceil(given.length / bytes) }, (_, at) =>
      Buffer.from(given.slice(at * bytes, (at + 1) * bytes)),
    );
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) times.push(await cpuOf(() => passThrough(chunks)));
    return Math.min(...times);
  };
  const unit = 4_000 * Math.min(bytes, 4);
  await timeOf(unit);
  const [few, many] = [await timeOf(unit), await timeOf(unit * 16)];
  // Allows 64 times the time for 16 times the input, because garbage collection adds time. A linear rewrite takes 16
  // times as long, and a quadratic one 256 times.
  expect(many).toBeLessThan(Math.max(100, few * 64));
});

import fc from 'fast-check';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { TIMED } from '../../test/support/processes/cpu-of.js';
import { ServiceError } from '../errors.js';
import { MAX_DEPTH, parseJsonBody } from '../front/parse-json-body.js';
import { JSON_BODY } from '../listener/body-limits.js';
import { addJsonBody } from './json-body.js';

const parse = (text: string) => parseJsonBody(Buffer.from(text));
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each([
  { title: 'a duplicate key', text: '{"a":1,"a":2}' },
  { title: 'a nested duplicate key', text: '{"x":[{"a":1,"b":[],"a":2}]}' },
  { title: 'a duplicate key with an escape', text: '{"a":1,"\\u0061":2}' },
  { title: '__proto__', text: '{"__proto__":{}}' },
  { title: 'an escaped __proto__', text: '{"\\u005f_proto__":{}}' },
  { title: 'a nested __proto__', text: '[{"a":{"__proto__":1}}]' },
  { title: 'too many keys', text: `{${Array.from({ length: 5001 }, (_, index) => `"k${index}":1`)}}` },
  { title: 'too many values', text: `[${Array(50_002).fill(1)}]` },
  { title: 'too many levels of arrays', text: nested(MAX_DEPTH + 1) },
  {
    title: 'too many levels of objects',
    text: `${'{"a":'.repeat(MAX_DEPTH + 1)}1${'}'.repeat(MAX_DEPTH + 1)}`,
  },
  { title: 'very many levels', text: '['.repeat(500_000) },
  { title: 'invalid JSON', text: '{a:1}' },
  { title: 'a trailing comma', text: '{"a":1,}' },
  { title: 'two values', text: '{}{}' },
  { title: 'an unterminated string', text: '{"a":"b' },
  { title: 'an unterminated key', text: '{"a' },
  { title: 'a broken escape in a key', text: '{"\\u00zz":1}' },
  { title: 'only white space', text: ' ' },
  { title: 'a number out of range', text: '1e400' },
  { title: 'a nested number out of range', text: '{"a":[{"b":-1e400}]}' },
])('A11: a body with $title is refused', ({ text }) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

test('A11: a body that is not UTF-8 is refused', () => {
  expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow(ServiceError);
});

test.each([
  { title: 'the same key in different objects', text: '[{"a":1},{"a":2},{"b":{"a":3}}]' },
  { title: 'the same key in nested objects', text: '{"a":{"a":{"a":1}}}' },
  { title: 'a repeated string in an array', text: '["a","a",{"b":"a"}]' },
  { title: 'names of the prototype as values', text: '{"a":"__proto__","b":["constructor"]}' },
  { title: 'punctuation inside strings', text: '{"a":"{[,\\"]}","b,\\\\":"\\\\\\""}' },
  { title: 'the maximum number of levels', text: nested(MAX_DEPTH) },
  { title: 'a lone value', text: '1' },
  { title: 'the keys constructor and prototype', text: '{"constructor":1,"a":[{"prototype":{}}]}' },
  {
    title: 'the maximum number of keys',
    text: `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`)}}`,
  },
  { title: 'the maximum number of values', text: `[${Array(50_000).fill(1)}]` },
])('a body with $title is accepted', ({ text }) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

test('valid JSON is parsed like JSON.parse', () => {
  const plain = fc
    .jsonValue({ maxDepth: 6 })
    .filter((value) => !JSON.stringify(value).includes('"__proto__":'));
  fc.assert(
    fc.property(plain, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 5_000 },
  );
});

test('A11: a duplicate key at any level is refused', () => {
  const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 }), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(object, fc.nat(), (value, seed) => {
      const keys = Object.keys(value);
      const again = JSON.stringify(keys[seed % keys.length]);
      const text = `{"outer":[${JSON.stringify(value).slice(0, -1)},${again}:0}]}`;
      expect(() => parse(text)).toThrow(ServiceError);
    }),
    { numRuns: 5_000, examples: [[{ $$: [] }, 0]] },
  );
});

test('A11: any text results in a value or a ServiceError', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ':',
    ',',
    'a',
    '1',
    '\\u0061',
    '__proto__',
    ' ',
    'é',
    'null',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        expect(parse(pieces.join(''))).toEqual(JSON.parse(pieces.join('')));
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
      }
    }),
    { numRuns: 20_000 },
  );
});

const post = async (payload: string, type = 'application/json') => {
  const app = fastify();
  addJsonBody(app);
  app.post('/', async ({ body }) => ({ body: body ?? 'none' }));
  return app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': type } });
};

test('an operation accepts JSON up to the limit and no other body', async () => {
  const filled = (length: number) => JSON.stringify('x'.repeat(length - 2));
  expect((await post(filled(JSON_BODY))).statusCode).toBe(200);
  expect((await post(filled(JSON_BODY + 1))).statusCode).toBe(413);
  expect((await post('hello', 'text/plain')).statusCode).toBe(415);
  expect((await post('')).json()).toEqual({ body: 'none' });
  expect((await post('{"a":1}', 'application/json; charset=utf-8')).json()).toEqual({ body: { a: 1 } });
});

/** Returns the CPU time of parsing in microseconds: the lowest of five runs, because other work adds noise. */
function costOf(body: Buffer): number {
  const costs = Array.from({ length: 5 }, () => {
    const { user } = process.threadCpuUsage();
    try {
      parseJsonBody(body);
    } catch (error) {
      expect(error).toBeInstanceOf(ServiceError);
    }
    return process.threadCpuUsage().user - user;
  });
  return Math.min(...costs);
}

const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index));

test.each([
  { title: 'distinct keys', body: (size: number) => `{${many(size / 16, (index) => `"${1e9 + index}":1`)}}` },
  { title: 'equal keys', body: (size: number) => `{${many(size / 8, () => '"abcd":1')}}` },
  { title: 'items', body: (size: number) => `[${many(size / 2, () => '1')}]` },
  { title: 'opening brackets', body: (size: number) => '['.repeat(size) },
  { title: 'closing brackets', body: (size: number) => ']'.repeat(size) },
  { title: 'backslashes', body: (size: number) => `["${'\\\\'.repeat(size / 2)}"]` },
  { title: 'escaped characters', body: (size: number) => `["${'\\u0041'.repeat(size / 6)}"]` },
  { title: 'quotes', body: (size: number) => '"'.repeat(size) },
])('A11: a body of $title is read in linear time', TIMED, ({ body }) => {
  const [short, long] = [JSON_BODY / 16, JSON_BODY].map((size) => costOf(Buffer.from(body(size))));
  // Compares a body of the maximum size with a body of a sixteenth. Linear parsing takes 16 times as long, quadratic
  // parsing 256 times. The limit is 64 times, because garbage collection adds time.
  expect(long).toBeLessThan(Math.max(short ?? 0, 2000) * 64);
});

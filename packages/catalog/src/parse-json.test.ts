import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './parse-json.js';

test('decodes escaped keys correctly, whatever keys it parsed before', () => {
  for (let round = 0; round < 200; round += 1) {
    parseJson(`{"Uniq${round}":1,"\\\\u":1}`);
    const read = parseJson(`{"Uniq${round}":1,"\\u540d\\u524d":1}`);
    expect(Object.keys(read as object)).toEqual([`Uniq${round}`, '名前']);
  }
});

// Generates keys from pieces that made `JSON.parse` of some Node.js versions mix up keys.
const key = fc
  .array(fc.constantFrom('\\', '"', '\n', '\t', 'u', '5', '名', 'a', '\u0001', '__proto__', ' '), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const escaped = (text: string): string =>
  `"${[...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;

test('returns the same keys and values for every escaped spelling of the keys', () => {
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 4 }), fc.jsonValue({ maxDepth: 3 }), (keys, value) => {
      // JSON has no -0, so the expected value makes a round trip through JSON.
      const plain: unknown = JSON.parse(JSON.stringify(value));
      const members = keys.map((each) => `${escaped(each)} : ${JSON.stringify(value, null, 1)}`);
      const read = parseJson(`\n{"plain":[], ${[...members, '"end":{}'].join(',\t')} } `);
      const expected = [['plain', []], ...keys.map((each) => [each, plain]), ['end', {}]];
      expect(new Map(Object.entries(read as object))).toEqual(
        // `Map` keeps only the last value of a repeated key, as JSON parsing does.
        new Map([...new Map(expected as [string, unknown][])]),
      );
      for (const each of keys) expect(Object.hasOwn(read as object, each)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '',
  '{"\\u0061":1',
  '{"\\u0061":1}}',
  '{"\\u0061" 1}',
  '{"\\u0061":01}',
  '{"\\u0061":+1}',
  '{"\\u0061":1,}',
  '{"\\u0061":[1,]}',
  '{"\\u0061":nul}',
  '{"\\u00zz":1}',
  '{"\\x":1}',
  '{"\\u0061":"\n"}',
  '{\\"a":1}',
  '{"\\u0061":1}\u00a0',
])('refuses %j like JSON.parse', (text) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

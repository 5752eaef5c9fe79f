import { expect, test } from 'vitest';
import type { JsonSchema } from '../json-schema.js';
import { readLoosely } from './read-loosely.js';

const schema: JsonSchema = {
  type: 'object',
  required: ['id', 'needed'],
  properties: {
    id: { type: 'string' },
    needed: { type: ['string', 'null'] },
    emails: { type: 'array', items: { type: 'string', format: 'email' } },
    numbers: { type: 'array', items: { type: 'integer' } },
    properties: {
      type: 'object',
      properties: { count: { type: 'integer' }, tags: { $ref: '#/$defs/Tags' } },
    },
    minutes: { type: 'integer' },
    ratio: { type: 'number' },
    isOn: { type: 'boolean' },
    kind: { enum: ['a', 'b'] },
    mode: { enum: ['read_only', 'write'] },
    alike: { enum: ['a b', 'a-b'] },
    people: { type: 'array', items: { type: 'object', properties: { age: { type: 'integer' } } } },
    level: { enum: [1, 2] },
    token: { type: 'string', minLength: 1 },
    note: { type: 'string' },
    day: { type: 'string', format: 'date' },
    place: { type: ['string', 'null'] },
    either: { anyOf: [{ type: 'string' }, { type: 'array' }] },
    one: { anyOf: [{ type: 'object', properties: { count: { type: 'integer' } } }, { type: 'array' }] },
    free: {},
  },
  $defs: { Tags: { type: 'array', items: { type: 'string' } } },
};
const base = { id: 'x', needed: null };

test.each([
  { given: { emails: '["a@example.com"]' }, read: { emails: ['a@example.com'] } },
  {
    given: { properties: '{"count":"3","tags":"[\\"t\\"]"}' },
    read: { properties: { count: 3, tags: ['t'] } },
  },
  { given: { minutes: '45' }, read: { minutes: 45 } },
  { given: { ratio: '-0.5' }, read: { ratio: -0.5 } },
  { given: { isOn: 'true' }, read: { isOn: true } },
  { given: { isOn: 'false' }, read: { isOn: false } },
  { given: { isOn: 'True' }, read: { isOn: true } },
  { given: { isOn: 'FALSE' }, read: { isOn: false } },
  { given: { token: 5, id: -0.5 }, read: { token: '5', id: '-0.5' } },
  { given: { emails: 'a@example.com' }, read: { emails: ['a@example.com'] } },
  { given: { properties: { tags: 'new tag' } }, read: { properties: { tags: ['new tag'] } } },
  { given: { level: '2' }, read: { level: 2 } },
  { given: { numbers: ['1', 2, '3'] }, read: { numbers: [1, 2, 3] } },
  { given: { one: '{"count":"1"}' }, read: { one: { count: 1 } } },
  { given: { minutes: ' 45 ', isOn: ' true', ratio: '2.0' }, read: { minutes: 45, isOn: true, ratio: 2 } },
  { given: { kind: 'A' }, read: { kind: 'a' } },
  { given: { mode: 'Read Only' }, read: { mode: 'read_only' } },
  { given: { token: true }, read: { token: 'true' } },
  { given: { numbers: 5 }, read: { numbers: [5] } },
  { given: { numbers: '5' }, read: { numbers: [5] } },
  { given: { people: { age: '7' } }, read: { people: [{ age: 7 }] } },
  { given: { people: '{"age":7}' }, read: { people: [{ age: 7 }] } },
  { given: { isOn: 1 }, read: { isOn: true } },
  { given: { isOn: '0' }, read: { isOn: false } },
  { given: { properties: [] }, read: { properties: {} } },
  { given: { people: [[]] }, read: { people: [{}] } },
  {
    given: { emails: '"[\\"a@example.com\\"]"', minutes: '"45"' },
    read: { emails: ['a@example.com'], minutes: 45 },
  },
  { given: { minutes: 'null', emails: ' null ', properties: 'null', isOn: 'null' }, read: {} },
  { given: { minutes: null, note: null, kind: null, emails: null }, read: {} },
  { given: { token: '', day: '', kind: '', minutes: '', emails: '' }, read: {} },
])('reads $given as $read', ({ given, read }) => {
  expect(readLoosely({ ...base, ...given }, schema)).toEqual({ ...base, ...read });
});

const LEFT: readonly { readonly title: string; readonly given: object }[] = [
  {
    title: 'a text in a field that accepts text',
    given: { note: '45', either: '["a"]', id: 'true', free: '[1]', token: 'null', place: 'null' },
  },
  { title: 'an empty text in a field that accepts one', given: { note: '' } },
  { title: 'null in a field that accepts null', given: { place: null } },
  {
    title: 'a text that no conversion fits',
    given: { minutes: 'soon', emails: ' ', isOn: 'yes', numbers: 'one' },
  },
  { title: 'a number other than 0 and 1 for a boolean', given: { isOn: 2 } },
  {
    title: 'a JSON text of a text',
    given: { emails: '"a@example.com"', minutes: '"soon"' },
  },
  { title: 'a number with an exponent or in hexadecimal', given: { minutes: '1e3', ratio: '0x10' } },
  { title: 'broken JSON', given: { emails: '["a@example.com"', properties: '{' } },
  { title: 'JSON of another type', given: { emails: '{"a":1}', properties: '[1]' } },
  { title: 'a text that may be one item or several', given: { emails: 'a@example.com, b@example.com' } },
  { title: 'a number that lost digits or has an exponent', given: { token: 2 ** 53, note: 1e-7 } },
  { title: 'a number in a field that accepts text or a list', given: { either: 5 } },
  { title: 'a listed text, and one that equals several', given: { kind: 'b', alike: 'A_B' } },
  { title: 'an integer with too many digits', given: { minutes: '12345678901234567890' } },
  { title: 'an unknown field', given: { other: '[1]', constructor: '{}' } },
];

test.each(LEFT)('leaves $title unchanged', ({ given }) => {
  expect(readLoosely({ ...base, ...given }, schema)).toEqual({ ...base, ...given });
});

test('leaves a null or empty required field for the service to refuse', () => {
  expect(readLoosely({ id: null, needed: '' }, schema)).toEqual({ id: null, needed: '' });
});

test('stops reading JSON texts that are nested too deeply', () => {
  const nested = (times: number): string =>
    times === 0 ? '{"count":1}' : JSON.stringify({ count: 1, tags: JSON.stringify([nested(times - 1)]) });
  const read = readLoosely({ ...base, properties: nested(5) }, schema);
  expect(read).toMatchObject({ properties: { tags: [expect.any(String)] } });
});

test.each([
  { title: 'too many keys', text: `{${Array.from({ length: 5001 }, (_, index) => `"k${index}":1`)}}` },
  { title: 'too many levels', text: `[${'['.repeat(100_000)}${']'.repeat(100_000)}]` },
  {
    title: 'too many levels under escaped keys',
    text: `{"tags":${'{"\\u0061":'.repeat(9_000)}1${'}'.repeat(9_001)}`,
  },
  { title: 'too many values', text: `{"tags":[${Array(50_001).fill(1)}]}` },
])('leaves a JSON text with $title unchanged', ({ text }) => {
  const given = { ...base, properties: text, emails: text };
  expect(readLoosely(given, schema)).toEqual(given);
});

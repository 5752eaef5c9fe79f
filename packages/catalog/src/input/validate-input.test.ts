import { describe, expect, test } from 'vitest';
import { type InputCase, loadInput, object, props, rulesBroken, text } from '../../test/input.js';
import { FORMAT_EXAMPLES } from '../formats.js';

const filters = props(
  {
    id: text,
    mine: { type: 'boolean' },
    top: { type: 'boolean' },
    size: { type: 'integer', default: 5 },
    rank: { type: 'integer', default: 1 },
  },
  { exactlyOneOf: ['id', 'mine'], atMostOneOf: ['id', 'size'], requiredWith: { rank: ['top'] } },
);

const table: readonly InputCase[] = [
  {
    title: 'an input that is not an object',
    input: {},
    given: ['secret'],
    broken: [['', 'type', 'the input must be an object, but an array was given', 'array']],
  },
  {
    title: 'a missing field',
    input: props({ size: { type: 'integer' } }, { required: ['size'] }),
    given: {},
    broken: [['size', 'required', '"size" is required: give an integer']],
  },
  {
    title: 'missing fields with a list of values or a format',
    input: props(
      { order: { type: 'string', enum: ['up', 'down'] }, from: { type: 'string', format: 'date' } },
      { required: ['order', 'from'] },
    ),
    given: {},
    broken: [
      ['order', 'required', '"order" is required: give one of up and down'],
      ['from', 'required', '"from" is required: give a date such as 2026-12-01'],
    ],
  },
  {
    title: 'an unknown field and the known field that resembles it',
    input: props({ calendar_id: text }),
    given: { calendarId: 'secret' },
    broken: [
      [
        'calendarId',
        'additionalProperties',
        '"calendarId" is not a known field; did you mean "calendar_id"?',
        'string',
      ],
    ],
  },
  {
    title: 'an unknown field and the known fields when none resembles it',
    input: props({ name: text, age: text }),
    given: { colour: 1 },
    broken: [
      [
        'colour',
        'additionalProperties',
        '"colour" is not a known field; known fields: name and age',
        'number',
      ],
    ],
  },
  {
    title: 'a wrong type in a nested item',
    input: props({ blocks: { type: 'array', items: object({ type: text }) } }),
    given: { blocks: [{ type: 'a' }, { type: null }] },
    broken: [['blocks[1].type', 'type', '"blocks[1].type" must be a string, but null was given', 'null']],
  },
  {
    title: 'several broken rules at once',
    input: props({ name: text, size: { type: 'integer' } }, { required: ['name'] }),
    given: { size: 1.5, colour: 'red' },
    broken: [
      ['name', 'required', '"name" is required: give a string'],
      [
        'colour',
        'additionalProperties',
        '"colour" is not a known field; known fields: name and size',
        'string',
      ],
      ['size', 'type', '"size" must be an integer, but a number with a fraction was given', 'number'],
    ],
  },
  {
    title: 'a value outside an enum',
    input: props({ kind: { enum: ['cat', 'dog'] } }),
    given: { kind: 'secret' },
    broken: [['kind', 'enum', '"kind" must be one of cat and dog', 'string']],
  },
  {
    title: 'violated limits',
    input: props({
      size: { type: 'integer', maximum: 100 },
      name: { ...text, maxLength: 3 },
      tags: { type: 'array', minItems: 1 },
    }),
    given: { size: 101, name: 'abcd', tags: [] },
    broken: [
      ['size', 'maximum', '"size" must be at most 100', 'number'],
      ['name', 'maxLength', '"name" must have at most 3 characters', 'string'],
      ['tags', 'minItems', '"tags" must have at least 1 item', 'array'],
    ],
  },
  {
    title: 'violated formats with an example',
    input: props({
      at: { ...text, format: 'date-time' },
      zone: { ...text, format: 'time-zone' },
      id: { ...text, format: 'uuid-shape' },
    }),
    given: { at: 'noon', zone: '+01:00', id: '12' },
    broken: [
      ['at', 'format', '"at" must be an RFC 3339 time with an offset such as 2026-12-01T09:00:00Z', 'string'],
      ['zone', 'format', '"zone" must be an IANA time zone name such as Europe/Berlin', 'string'],
      ['id', 'format', '"id" must be a UUID such as 1f3a5c7e-9b2d-4f60-8a1c-3e5d7f9b1a2c', 'string'],
    ],
  },
  {
    title: 'an exactly-one group without a field',
    input: props({ id: text, mine: text }, { exactlyOneOf: ['id', 'mine'] }),
    given: {},
    broken: [['', 'exactlyOneOf', 'exactly one of "id" and "mine" is needed, but none of them is given']],
  },
  {
    title: 'two fields of an exactly-one group inside a list',
    input: props({
      sorts: {
        type: 'array',
        items: object({ by: text, at: text, up: text }, { exactlyOneOf: [['by', 'at']] }),
      },
    }),
    given: { sorts: [{ by: 'a', at: 'b', up: 'c' }] },
    broken: [
      [
        'sorts[0]',
        'exactlyOneOf',
        'exactly one of "sorts[0].by" and "sorts[0].at" is needed, but "sorts[0].by" and "sorts[0].at" are given',
      ],
    ],
  },
  {
    title: 'two fields of an at-most-one group',
    input: props({ a: text, b: text }, { atMostOneOf: ['a', 'b'] }),
    given: { a: '', b: '' },
    broken: [
      ['', 'atMostOneOf', 'only one of "a" and "b" may be given; leave out all but one of "a" and "b"'],
    ],
  },
  {
    title: 'a field without the field that it requires',
    input: props({ title: text, category: text }, { requiredWith: { title: ['category'] } }),
    given: { title: 'x' },
    broken: [['category', 'requiredWith', '"category" is required when "title" is given']],
  },
  {
    title: 'a missing field that the value of another field requires',
    input: props(
      { range: text, start: text },
      { requiredWhen: [{ property: 'range', equals: 'custom', required: ['start'] }] },
    ),
    given: { range: 'custom' },
    broken: [['start', 'requiredWhen', '"start" is required when "range" is "custom"']],
  },
  {
    title: 'a start that is not before its end',
    input: props({ from: text, to: text }, { before: [['from', 'to']] }),
    given: { from: '2026-01-02 00:00:00', to: '2026-01-02' },
    broken: [['from', 'before', '"from" must be earlier than "to"', 'string']],
  },
  {
    title: 'a time in the future',
    input: props({ to: text }, { notFuture: ['to'] }),
    given: { to: '2026-11-20T12:00:01Z' },
    broken: [
      [
        'to',
        'notFuture',
        '"to" must not be in the future; the current time is 2026-11-20T12:00:00.000Z',
        'string',
      ],
    ],
  },
  {
    title: 'a range that is too long',
    input: props({ from: text, to: text }, { withinMonths: { months: 6, of: [['from', 'to']] } }),
    given: { from: '2026-01-01', to: '2026-07-01' },
    broken: [['from', 'withinMonths', '"from" must be less than 6 months before "to"', 'string']],
  },
  {
    title: 'a range that is too long until now',
    input: props({ from: text, to: text }, { withinMonths: { months: 6, of: [['from', 'to']] } }),
    given: { from: '2026-05-20' },
    broken: [
      ['from', 'withinMonths', '"from" must be less than 6 months before now ("to" is not given)', 'string'],
    ],
  },
];

describe('validateInput', () => {
  test.each(table)('reports $title', ({ input, given, broken }) => {
    expect(rulesBroken(input, given)).toEqual(broken);
  });

  test('never repeats an input value in a message', () => {
    const rules = table.flatMap(({ input, given }) => rulesBroken(input, given));
    expect(JSON.stringify(rules)).not.toContain('secret');
  });

  test.each([
    {
      title: 'one field of an exactly-one group',
      input: props({ a: text, b: text }, { exactlyOneOf: ['a', 'b'] }),
      given: { a: '' },
    },
    {
      title: 'the last day of a month as a start',
      input: props({ from: text, to: text }, { withinMonths: { months: 6, of: [['from', 'to']] } }),
      given: { from: '2025-08-31', to: '2026-02-27' },
    },
    {
      title: 'the current time as the end',
      input: props({ to: text }, { notFuture: ['to'] }),
      given: { to: '2026-11-20T13:00:00+01:00' },
    },
    {
      title: 'a UUID without dashes',
      input: props({ id: { ...text, format: 'uuid-shape' } }),
      given: { id: '1f3a5c7e9b2d4f608a1c3e5d7f9b1a2c' },
    },
  ])('accepts $title', ({ input, given }) => {
    expect(rulesBroken(input, given)).toEqual([]);
  });

  test.each([
    ['date-time', '2026-12-01T09:00:00Z', undefined],
    ['date-time', '2026-12-01t09:00:00.123456z', undefined],
    ['date-time', '2028-02-29T23:59:59+05:45', undefined],
    ['date-time', '2026-12-01', 'add the time of day'],
    ['date-time', '2026-12-01 09:00:00Z', 'write a T between the day and the time of day'],
    ['date-time', '2026-12-01T09:00:00', 'add the offset: Z for UTC, or one such as +01:00'],
    ['date-time', '2026-12-01T09:00Z', 'add the seconds'],
    ['date-time', '2026-12-01T09:00:00+0100', 'write the offset as Z, or as +01:00'],
    ['date-time', '2026-12-01T09:00:00+01', 'write the offset as Z, or as +01:00'],
    ['date-time', '2026-12-01T09:00:00 CET', 'write the offset as Z, or as +01:00'],
    ['date-time', '2026-12-01T09:00:00,5Z', 'write fractions of seconds as .5'],
    ['date-time', '2026-02-29T09:00:00Z', 'the given day does not exist'],
    ['date-time', '2026-12-01T24:00:00Z', 'the given time of day does not exist'],
    ['date-time', '2026-12-01T09:00:60Z', 'the given time of day does not exist'],
    ['date-time', 'tomorrow', ''],
    ['utc-date-time', '2026-12-01 09:00:00', undefined],
    ['utc-date-time', '2026-12-01T09:00:00', 'write one space between the day and the time of day'],
    ['utc-date-time', '2026-12-01 09:00:00Z', 'leave out the offset, and give the time in UTC'],
    ['utc-date-time', '2026-12-01 09:00:00.5', 'leave out fractions of seconds'],
    ['utc-date-time', '2026-12-01', 'add the time of day'],
    ['date-or-time', '2026-12-01', undefined],
    ['date-or-time', '2026-12-01T09:00', undefined],
    ['date-or-time', '2026-12-01T09:00:00.000+01:00', undefined],
    ['date-or-time', '2026-12-01 09:00', 'write a T between the day and the time of day'],
    ['date-or-time', '2026-13-01', 'the given day does not exist'],
  ])('checks the format %s of %s: %s', (format, at, correction) => {
    const broken = rulesBroken(props({ at: { ...text, format } }), { at });
    const wanted = `"at" must be ${FORMAT_EXAMPLES[format]}`;
    const message = correction === '' ? wanted : `${wanted}: ${correction}`;
    expect(broken).toEqual(correction === undefined ? [] : [['at', 'format', message, 'string']]);
  });

  test('fills in defaults without changing the input', () => {
    const { catalog, tool, version: first } = loadInput(props({ size: { type: 'integer', default: 5 } }));
    const given = Object.freeze({});
    expect(catalog.validateInput(tool, first, given).input).toEqual({ size: 5 });
    expect(given).toEqual({});
  });

  test.each([
    { title: 'removes a flag that is false', given: { id: 'a', mine: false }, input: { id: 'a' } },
    { title: 'preserves a flag that is true', given: { mine: true }, input: { mine: true, size: 5 } },
    {
      title: 'omits the default of a field that another field excludes',
      given: { id: 'a' },
      input: { id: 'a' },
    },
    {
      title: 'removes values that equal their defaults where a rule excludes these fields',
      given: { id: 'a', size: 5, rank: 1 },
      input: { id: 'a' },
    },
    {
      title: 'fills in a default that no rule excludes',
      given: { mine: true, top: false },
      input: { mine: true, top: false, size: 5, rank: 1 },
    },
    {
      title: 'preserves given values that differ from their defaults',
      given: { mine: true, top: true, size: 0, rank: 2 },
      input: { mine: true, top: true, size: 0, rank: 2 },
    },
  ])('$title', ({ given, input }) => {
    const { catalog, tool, version: first } = loadInput(filters);
    expect(catalog.validateInput(tool, first, given).input).toEqual(input);
  });

  test.each([
    {
      title: 'a false flag as the only field of an exactly-one group',
      given: { mine: false },
      rule: 'exactlyOneOf',
    },
    { title: 'a field together with one that excludes it', given: { id: 'a', size: 1 }, rule: 'atMostOneOf' },
    {
      title: 'a field without the field that it requires',
      given: { id: 'a', rank: 2 },
      rule: 'requiredWith',
    },
    { title: 'a string as a flag', given: { mine: 'false' }, rule: 'type' },
  ])('refuses $title', ({ given, rule }) => {
    expect(rulesBroken(filters, given)).toMatchObject([expect.arrayContaining([rule])]);
  });

  test('treats the key __proto__ of a free-form object as a plain key', () => {
    const {
      catalog,
      tool,
      version: first,
    } = loadInput(props({ data: { type: 'object', additionalProperties: true } }));
    const { input } = catalog.validateInput(
      tool,
      first,
      JSON.parse('{"data":{"__proto__":{"polluted":true}}}'),
    );
    expect(JSON.stringify(input)).toBe('{"data":{"__proto__":{"polluted":true}}}');
  });
});

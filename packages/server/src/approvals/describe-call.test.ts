import { loadCatalog } from '@svc/catalog';
import { describe, expect, test } from 'vitest';
import { describeCall, hideSecrets } from './describe-call.js';

const say = (input: object) => describeCall({ title: 'Send a message', connectorTitle: 'Mail', input });

test.each([
  { title: 'no input', input: {}, said: 'Send a message (Mail).' },
  {
    title: 'values of every type',
    input: { to: 'bob', max_results: 3, isUrgent: true, copy: null, cc: [] },
    said: 'Send a message (Mail): to “bob”; max results 3; is urgent yes; copy nothing; cc nothing.',
  },
  {
    title: 'a long list with the number of omitted items',
    input: { to: ['a', 'b', 'c', 'd', 'e'] },
    said: 'Send a message (Mail): to “a”, “b”, “c”, and 2 more.',
  },
  {
    title: 'nested values',
    input: { start: { date_time: '09:00', zone: { name: 'UTC' } } },
    said: 'Send a message (Mail): start (date time “09:00”; zone (name “UTC”)).',
  },
])('describes $title', ({ input, said }) => {
  expect(say(input)).toBe(said);
});

test.each([
  { input: 'event_id', said: 'event “Review” (2026-12-01)' },
  { input: 'runId', said: 'run “Review” (2026-12-01)' },
  { input: 'parent', said: 'parent “Review” (2026-12-01)' },
  { input: 'id', said: 'object “Review” (2026-12-01)' },
])('shows the object first, in place of the input $input', ({ input, said }) => {
  const object = { input, title: 'Review', date: '2026-12-01' };
  const sentence = describeCall({
    title: 'Delete',
    connectorTitle: 'Mail',
    input: { calendar: 'x', [input]: 'evt_1' },
    object,
  });
  expect(sentence).toBe(`Delete (Mail): ${said}; calendar “x”.`);
});

describe('H4: the sentence about a call', () => {
  test.each([
    'password',
    'client_secret',
    'apiKey',
    'access_token',
    'Authorization',
    'cookies',
    'credentials',
  ])('hides the value of %s, and so does the displayed input', (name) => {
    const input = { to: 'bob', deep: [{ [name]: 'xyzzy' }], [name]: { a: 'xyzzy' } };
    expect(say(input)).not.toContain('xyzzy');
    expect(JSON.stringify(hideSecrets(input))).not.toContain('xyzzy');
    expect(hideSecrets(input)).toMatchObject({ to: 'bob' });
  });

  test('contains no line breaks, control or bidi characters', () => {
    const sentence = say({ 'a\nb\u202e': 'x\n\u0007\u202ey\u2028\u0000' });
    expect(sentence).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect(sentence).toContain('\\u202e');
  });

  test.each([
    { title: 'a long text', input: { text: '🙂'.repeat(100_000) } },
    {
      title: 'many fields',
      input: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, at])),
    },
    { title: 'long names', input: { ['x'.repeat(100_000)]: 1 } },
    { title: 'long lists', input: { list: Array(100_000).fill('x'.repeat(200)) } },
    { title: 'deep nesting', input: JSON.parse(`${'{"a":'.repeat(150)}1${'}'.repeat(150)}`) },
  ])('is limited in length: $title', ({ input }) => {
    const sentence = say(input);
    expect(sentence.length).toBeLessThan(1100);
    expect(sentence.isWellFormed()).toBe(true);
  });

  test('exists for every example of every tool', () => {
    for (const { title, connector, examples } of loadCatalog().tools.values())
      for (const { input } of examples)
        expect(describeCall({ title, connectorTitle: connector, input })).toMatch(
          /^[A-Z][^\n]{4,1000}[.…]$/u,
        );
  });
});

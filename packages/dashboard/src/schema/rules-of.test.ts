import { expect, test } from 'vitest';
import { descriptionOf, rulesOf } from './rules-of.ts';

const now = new Date('2026-11-22T12:00:00Z');
const schema = {
  exactlyOneOf: ['from', 'updated'],
  requiredWith: { from: ['to'], to: ['from'] },
  before: [['from', 'to']] as const,
  notFuture: ['to'],
};
const metRules = (object: Record<string, unknown>) => rulesOf(schema).map(({ isMet }) => isMet(object, now));

test('each rule has its own sentence', () => {
  expect(rulesOf(schema).map(({ sentence }) => sentence)).toEqual([
    'Give exactly one of from and updated.',
    'When from is given, give to too.',
    'When to is given, give from too.',
    'from must be earlier than to.',
    'to must not be in the future.',
  ]);
});

test('each rule reports whether an object meets it', () => {
  expect(metRules({})).toEqual([false, true, true, true, true]);
  expect(metRules({ from: '2026-11-02' })).toEqual([true, false, true, true, true]);
  expect(metRules({ from: '2026-12-02', to: '2026-12-01' })).toEqual([true, true, true, false, false]);
});

test('the description does not repeat the sentences of the rules', () => {
  expect(descriptionOf({ notFuture: ['to'], description: 'Times. to must not be in the future.' })).toBe(
    'Times.',
  );
  expect(descriptionOf({ description: 'Times.' })).toBe('Times.');
});

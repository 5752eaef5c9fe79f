import { expect, test } from 'vitest';
import { aboutOf, rulesOf } from './rules-of.ts';

const now = new Date('2026-11-22T12:00:00Z');
const schema = {
  exactlyOneOf: ['from', 'updated'],
  requiredWith: { from: ['to'], to: ['from'] },
  before: [['from', 'to']] as const,
  notFuture: ['to'],
};
const kept = (object: Record<string, unknown>) => rulesOf(schema).map(({ isKept }) => isKept(object, now));

test('tells each rule in a sentence of its own', () => {
  expect(rulesOf(schema).map(({ sentence }) => sentence)).toEqual([
    'Give exactly one of from and updated.',
    'With from, to must be given too.',
    'With to, from must be given too.',
    'from must be earlier than to.',
    'to must not lie in the future.',
  ]);
});

test('says of each rule whether an object keeps it', () => {
  expect(kept({})).toEqual([false, true, true, true, true]);
  expect(kept({ from: '2026-11-02' })).toEqual([true, false, true, true, true]);
  expect(kept({ from: '2026-12-02', to: '2026-12-01' })).toEqual([true, true, true, false, false]);
});

test('leaves the sentences of the rules out of what a schema is about', () => {
  expect(aboutOf({ notFuture: ['to'], description: 'Times. to must not lie in the future.' })).toBe('Times.');
  expect(aboutOf({ description: 'Times.' })).toBe('Times.');
});

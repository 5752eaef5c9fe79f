import { expect, test } from 'vitest';
import { chooseLanguage } from './accept-language.js';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-de;q=0.9', 'de'],
  ['fr', 'en'],
  ['fr, de;q=0.1', 'de'],
  ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'en'],
  ['de;q=0.8,en;q=0.9', 'en'],
  ['de,en', 'de'],
  ['en,de', 'en'],
  ['de;q=0', 'en'],
  ['de;q=0, en;q=0', 'en'],
  ['*', 'en'],
  ['*;q=0.2, de;q=0.1', 'en'],
  ['de ; level=1 ; Q=0.3', 'de'],
  ['de;q=2', 'en'],
  ['de;q=-1', 'en'],
  ['de;q=much', 'en'],
  ['den', 'en'],
  [',;,;;q=,-,de', 'de'],
  ['__proto__, constructor', 'en'],
])('of %j chooses %s', (header, language) => {
  expect(chooseLanguage(header, ['en', 'de'])).toBe(language);
});

test('looks at the beginning of a header alone', () => {
  expect(chooseLanguage(`${'x,'.repeat(19)}de`, ['en', 'de'])).toBe('de');
  expect(chooseLanguage(`${'x,'.repeat(20)}de`, ['en', 'de'])).toBe('en');
  expect(chooseLanguage(`${' '.repeat(1000)}de`, ['en', 'de'])).toBe('en');
});

import { expect, test } from 'vitest';
import { languageOf } from './language.js';

test.each([
  ['js', 'javascript'],
  ['ts', 'typescript'],
  ['sh', 'shell'],
  ['text', 'plain text'],
  ['C#', 'c#'],
  [' Python ', 'python'],
  ['visual basic', 'visual basic'],
  ['cobol', 'cobol'],
])('the language %j is sent as %j', (name, language) => {
  expect(languageOf(name)).toBe(language);
});

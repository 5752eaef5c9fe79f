import { expect, test } from 'vitest';
import { ERROR_STATUS } from '../../../server/src/errors.ts';
import { errorWords } from './error-codes.ts';

test.each(Object.keys(ERROR_STATUS))('says in words what %s means, and what to do', (code) => {
  const { story, next } = errorWords(code);
  expect(story).toMatch(/^[A-Z][^_]+\.$/);
  expect(next).toMatch(/^[A-Z].+\.$/);
  expect(story).not.toContain(code);
});

test('shows a code that it does not know', () => {
  expect(errorWords('from_the_future').story).toContain('from_the_future');
});

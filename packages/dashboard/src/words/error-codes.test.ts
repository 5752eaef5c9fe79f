import { expect, test } from 'vitest';
import { ERROR_STATUS } from '../../../server/src/errors.ts';
import { errorWords } from './error-codes.ts';

test.each(Object.keys(ERROR_STATUS))('says in words what %s means, and what to do', (code) => {
  const { title, story, next } = errorWords(code);
  expect(title).toMatch(/^[A-Z][^_.]{3,24}$/);
  expect(story).toMatch(/^[A-Z][^_]+\.$/);
  expect(next).toMatch(/^[A-Z].+\.$/);
  expect(story).not.toContain(code);
});

test.each([400, 401, 403, 404, 429, 500, 503])('says what to do about %i from upstream', (status) => {
  expect(errorWords('upstream_failed', status).next).toMatch(/^[A-Z].{15,}\.$/);
});

test('shows a code that it does not know', () => {
  expect(errorWords('from_the_future').story).toContain('from_the_future');
});

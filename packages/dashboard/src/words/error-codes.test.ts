import { expect, test } from 'vitest';
import { ERROR_STATUS } from '../../../server/src/errors.ts';
import { errorWords } from './error-codes.ts';

test.each(Object.keys(ERROR_STATUS))('the error code %s has a title, an explanation and a remedy', (code) => {
  const { title, explanation, next } = errorWords(code);
  expect(title).toMatch(/^[A-Z][^_.]{3,24}$/);
  expect(explanation).toMatch(/^[A-Z][^_]+\.$/);
  expect(next).toMatch(/^[A-Z].+\.$/);
  expect(explanation).not.toContain(code);
});

test.each([400, 401, 403, 404, 429, 500, 503])('the upstream status %i has a remedy', (status) => {
  expect(errorWords('upstream_failed', status).next).toMatch(/^[A-Z].{15,}\.$/);
});

test('an unknown error code is shown as it is', () => {
  expect(errorWords('from_the_future').explanation).toContain('from_the_future');
});

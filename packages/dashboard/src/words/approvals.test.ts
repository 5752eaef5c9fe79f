import { expect, test } from 'vitest';
import { CALL_APPROVAL_STATUSES } from '../../../server/src/names/approval-statuses.ts';
import { approvalWords, callerWords, STATUSES } from './approvals.ts';

test.each(CALL_APPROVAL_STATUSES)('the approval status %s has a title and an explanation', (status) => {
  const { title, explanation } = approvalWords(status);
  expect(title).toMatch(/^[A-Z][^_.]{2,24}$/);
  expect(explanation).toMatch(/^[A-Z][^_]+\.$/);
  expect(STATUSES.map(({ value }) => value)).toContain(status);
});

test('an unknown approval status is shown as it is', () => {
  expect(approvalWords('from_the_future').explanation).toContain('from_the_future');
});

test.each([
  { caller: 'operator:ada', words: 'ada' },
  { caller: 'token:tok_1', words: 'Agent with token tok_1' },
  { caller: 'user', words: 'User who opened the approval link' },
  { caller: 'app_1', words: 'Your application' },
])('the caller $caller is shown as "$words"', ({ caller, words }) => {
  expect(callerWords(caller)).toBe(words);
});

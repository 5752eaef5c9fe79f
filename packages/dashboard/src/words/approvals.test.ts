import { expect, test } from 'vitest';
import { CALL_APPROVAL_STATUSES } from '../../../server/src/names/approval-statuses.ts';
import { approvalWords, callerWords, STATUSES } from './approvals.ts';

test.each(CALL_APPROVAL_STATUSES)('says in words what %s means', (status) => {
  const { title, story } = approvalWords(status);
  expect(title).toMatch(/^[A-Z][^_.]{2,24}$/);
  expect(story).toMatch(/^[A-Z][^_]+\.$/);
  expect(STATUSES.map(({ value }) => value)).toContain(status);
});

test('shows a status that it does not know', () => {
  expect(approvalWords('from_the_future').story).toContain('from_the_future');
});

test.each([
  { caller: 'operator:ada', words: 'ada' },
  { caller: 'token:tok_1', words: 'an agent with the token tok_1' },
  { caller: 'user', words: 'whoever had the link' },
  { caller: 'app_1', words: 'the application itself' },
])('$caller is $words', ({ caller, words }) => {
  expect(callerWords(caller)).toBe(words);
});

import { expect, test } from 'vitest';
import { hidePrivate, valuesIn } from './hide-private.js';

test.each([
  { text: 'The daily limit is exceeded.', shown: 'The daily limit is exceeded.' },
  { text: 'No user ada@example.com here', shown: 'No user (hidden) here' },
  { text: 'Not found: <mailto:ada@example.com>', shown: 'Not found: <(hidden)>' },
  { text: 'See https://ada:pw@api.example/x?token=1 for more', shown: 'See (hidden) for more' },
  { text: 'Authorization: Bearer abc.def was refused', shown: 'Authorization: Bearer (hidden) was refused' },
  { text: 'Authorization=Bearer abc', shown: 'Authorization=(hidden) (hidden)' },
  { text: 'header Bearer abc', shown: 'header Bearer (hidden)' },
  { text: 'api_key=hunter2 is wrong', shown: 'api_key=(hidden) is wrong' },
  { text: 'password: hunter2', shown: 'password: (hidden)' },
  { text: '{"access_token":"hunter2"}', shown: '{"access_token":"(hidden)"}' },
  { text: '{"secret" : "hunter2"}', shown: '{"secret" : "(hidden)"}' },
  { text: 'Page 59833787-2cf9-4fdf-8782-e53db20768a5 is gone', shown: 'Page (hidden) is gone' },
  { text: 'Account 1234567 is closed', shown: 'Account (hidden) is closed' },
  { text: 'Token ya29A0ARrdaM9sK2q is expired', shown: 'Token (hidden) is expired' },
  { text: 'Calls of quota group 12345', shown: 'Calls of quota group 12345' },
  { text: 'a'.repeat(40), shown: '(hidden)' },
])('the message "$text" is shown as "$shown"', ({ text, shown }) => {
  expect(hidePrivate(text, [])).toBe(shown);
});

test('values of the input are hidden in a message, the longest first', () => {
  const input = { query: 'Ada Lovelace', tags: ['Ada'], nested: { age: 1815 }, part: 'me' };
  expect(hidePrivate('No contact "Ada Lovelace" of Ada since 1815 for me', valuesIn(input))).toBe(
    'No contact "(hidden)" of (hidden) since (hidden) for me',
  );
});

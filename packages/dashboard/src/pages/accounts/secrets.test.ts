import { expect, test } from 'vitest';
import { secretsOf } from './secrets.ts';

test.each([
  { title: 'an API key', authType: 'api_key' as const, sent: { apiKey: 'k' } },
  { title: 'a token', authType: 'bearer_token' as const, sent: { bearerToken: 'k' } },
])('sends $title in its own field', ({ authType, sent }) => {
  expect(secretsOf(authType, { key: 'k', credentials: {} })).toEqual(sent);
});

test('sends only the secondary credentials that were typed', () => {
  expect(secretsOf('api_key', { key: '', credentials: { one: '', two: 't' } })).toEqual({
    credentials: { two: 't' },
  });
});

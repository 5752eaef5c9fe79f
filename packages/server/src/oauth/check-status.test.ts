import { expect, test } from 'vitest';
import { checkAvailable } from './check-status.js';
import { OAuthError } from './oauth-error.js';

function retryAfterOf(header: string): number | undefined {
  try {
    checkAvailable(new Response(null, { status: 503, headers: { 'retry-after': header } }));
  } catch (error) {
    if (error instanceof OAuthError) return error.retryAfter;
  }
  throw new Error('The response with Retry-After was accepted.');
}

test.each([
  { title: 'seconds', header: '40', least: 40, most: 40 },
  { title: 'a date', header: new Date(Date.now() + 600_000).toUTCString(), least: 500, most: 600 },
  { title: 'more than a day', header: '999999999', least: 86_400, most: 86_400 },
  {
    title: 'a date in the distant future',
    header: 'Fri, 31 Dec 9999 23:59:59 GMT',
    least: 86_400,
    most: 86_400,
  },
])('R7: Retry-After is read as $title', ({ header, least, most }) => {
  expect(retryAfterOf(header)).toBeGreaterThanOrEqual(least);
  expect(retryAfterOf(header)).toBeLessThanOrEqual(most);
});

test('R7: an invalid Retry-After is ignored', () => {
  expect(retryAfterOf('soon')).toBeUndefined();
});

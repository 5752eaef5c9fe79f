import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { failure, fakeService, json } from '../test/fake-service.js';
import { TimeoutError } from './errors.js';
import { loadKy } from './load-ky.node.js';
import { manage } from './manage.js';

const USER = { connectionName: 'calendar', identifier: 'user_42' };
const is = (status: string) => () => json({ ...USER, id: 'acct_1', status });

// Loads ky before the tests, because the first call waits for it and fake timers do not advance that wait.
beforeAll(async () => {
  await loadKy();
});
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('polls every 2 s until the account is authorized', async () => {
  const states = ['unauthorized', 'pending_verification', 'authorized'];
  const { svc, requests } = fakeService(states.map(is));
  const account = manage(svc).accounts.waitUntilAuthorized(USER);
  await vi.advanceTimersByTimeAsync(1999);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2001);
  expect(await account).toMatchObject({ id: 'acct_1', status: 'authorized' });
  const path = '/v1/connections/calendar/accounts/user_42';
  expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(
    states.map(() => `GET ${path}`),
  );
});

test('returns an authorized account immediately', async () => {
  const { svc, requests } = fakeService([is('authorized')]);
  expect(await manage(svc).accounts.waitUntilAuthorized({ id: 'acct_1' })).toMatchObject(USER);
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/v1/accounts/acct_1']);
});

test('reports the account status after the timeout and stops polling', async () => {
  const { svc, requests } = fakeService([is('unauthorized')]);
  const options = { timeout: 10_000, interval: 4000 };
  const ended = manage(svc)
    .accounts.waitUntilAuthorized(USER, options)
    .catch((error) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await ended).toBeInstanceOf(TimeoutError);
  expect(await ended).toMatchObject({
    message:
      'The user has not connected "calendar" in time. The account is unauthorized. Send the user a new link.',
  });
  expect(requests).toHaveLength(3);
});

test('stops polling with the reason of the signal', async () => {
  const { svc, requests } = fakeService([is('unauthorized')]);
  const controller = new AbortController();
  const ended = manage(svc)
    .accounts.waitUntilAuthorized(USER, { signal: controller.signal })
    .catch((error) => error);
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort(new Error('The page is closed.'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await ended).toMatchObject({ message: 'The page is closed.' });
  expect(requests).toHaveLength(1);
});

test('rejects for a missing account', async () => {
  const { svc, requests } = fakeService([() => failure(404, 'account_not_found')]);
  const missing = manage(svc).accounts.waitUntilAuthorized(USER);
  await expect(missing).rejects.toMatchObject({ code: 'account_not_found' });
  expect(requests).toHaveLength(1);
});

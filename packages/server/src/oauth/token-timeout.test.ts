import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Fetch } from '../http/fetch.js';
import { createOAuth } from './oauth.js';

const SERVER = {
  connector: 'mail',
  issuer: undefined,
  authorizationEndpoint: 'https://auth.example/authorize',
  tokenEndpoint: 'https://auth.example/token',
  revocationEndpoint: undefined,
  authorizationParameters: {},
  tokenRequest: { body: 'form', clientAuthentication: 'body', headers: {} },
} as const;

/** Fetch that never responds. It rejects only when the caller's signal aborts. */
const silent: Fetch = (_url, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('R3: a token request times out after 10 s', async () => {
  const { refresh } = createOAuth({ fetch: silent });
  let failure: unknown;
  const refreshed = refresh(SERVER, { id: 'client', secret: 'secret' }, 'token').catch((error: unknown) => {
    failure = error;
  });
  await vi.advanceTimersByTimeAsync(9_900);
  expect(failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(100);
  await refreshed;
  expect(failure).toMatchObject({ name: 'OAuthError', failure: 'unavailable' });
});

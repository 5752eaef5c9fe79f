import { expect, test, vi } from 'vitest';
import { settingsOf } from './settings.page.js';

const page = { environmentUrl: '/svc', accessToken: 'token' };

test('a page is given an address and a token', () => {
  expect(settingsOf({ ...page, timeout: 5 })).toEqual({ ...page, timeout: 5 });
});

test.each(['environmentUrl', 'accessToken'])('a page without %s is told so, whatever else it has', (name) => {
  vi.stubEnv('SVC_ENVIRONMENT_URL', 'https://svc.example');
  const given = { ...page, clientId: 'app_1', clientSecret: 'svc_sk_secret', [name]: undefined };
  expect(() => settingsOf(given)).toThrow(expect.objectContaining({ code: 'not_configured' }));
  vi.unstubAllEnvs();
});

import { expect, test, vi } from 'vitest';
import { settingsOf } from './settings.page.js';

const page = { environmentUrl: '/svc', accessToken: 'token' };

test('accepts a URL and a token in a browser page', () => {
  expect(settingsOf({ ...page, timeout: 5 })).toEqual({ ...page, timeout: 5 });
});

test.each(['environmentUrl', 'accessToken'])('throws not_configured in a browser page without %s', (name) => {
  vi.stubEnv('SVC_ENVIRONMENT_URL', 'https://svc.example');
  const given = { ...page, clientId: 'app_1', clientSecret: 'svc_sk_secret', [name]: undefined };
  expect(() => settingsOf(given)).toThrow(expect.objectContaining({ code: 'not_configured' }));
  vi.unstubAllEnvs();
});

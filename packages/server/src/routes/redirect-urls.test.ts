import { describe, expect, test } from 'vitest';
import { COOKIE, createConnect, createVerifying, VERIFY_URL } from '../../test/support/create-connect.js';

const REGISTERED = 'https://app.example.com/done?tab=1';
const FAILED = 'https://app.example.com/failed';
const application = { redirectUrls: JSON.stringify([REGISTERED, FAILED]) };

const BYPASSES = [
  'https://app.example.com/done',
  'https://app.example.com/done?tab=2',
  'https://app.example.com/done?tab=1&next=https://evil.example.com',
  'https://app.example.com/done?tab=1#',
  'https://app.example.com/done?tab=1#@evil.example.com',
  'https://app.example.com/done/?tab=1',
  'https://app.example.com//done?tab=1',
  'https://app.example.com/./done?tab=1',
  'https://app.example.com/done/../done?tab=1',
  'https://app.example.com/%64one?tab=1',
  'https://app.example.com/Done?tab=1',
  'https://APP.example.com/done?tab=1',
  'HTTPS://app.example.com/done?tab=1',
  'https://app.example.com:443/done?tab=1',
  'https://app.example.com:8443/done?tab=1',
  'https://app.example.com./done?tab=1',
  'http://app.example.com/done?tab=1',
  '//app.example.com/done?tab=1',
  'https:/app.example.com/done?tab=1',
  'https:\\\\app.example.com\\done?tab=1',
  'https://app.example.com\\@evil.example.com/done?tab=1',
  'https://app.example.com@evil.example.com/done?tab=1',
  'https://evil@app.example.com/done?tab=1',
  'https://app.example.com.evil.example.com/done?tab=1',
  'https://evil.example.com/https://app.example.com/done?tab=1',
  'https://app.example.com%2f@evil.example.com/done?tab=1',
  'https://xn--pp-xka.example.com/done?tab=1',
  'https://аpp.example.com/done?tab=1',
  ' https://app.example.com/done?tab=1',
  'https://app.example.com/done?tab=1%0d%0alocation:https://evil.example.com',
  'https://app.example.com/do\nne?tab=1',
  'javascript:alert(1)//https://app.example.com/done?tab=1',
  'data:text/html,https://app.example.com/done?tab=1',
  '/done?tab=1',
  '',
];

describe('O20: 35 unsafe spellings of a redirect URL', () => {
  test.each(BYPASSES)('%j is refused', async (url) => {
    const { app, database } = await createConnect({ application });
    for (const field of ['successUrl', 'failureUrl']) {
      const reply = await app.inject({
        method: 'POST',
        url: '/v1/connections/mail/accounts/ada/authorization-link',
        payload: { [field]: url },
      });
      expect([reply.statusCode, reply.headers['svc-error']]).toEqual([400, 'invalid_request']);
    }
    expect(await database.selectFrom('authorizationLinks').selectAll().execute()).toEqual([]);
  });

  test('are all different', () => {
    expect(new Set(BYPASSES).size).toBe(35);
  });
});

const urls = { successUrl: REGISTERED, failureUrl: FAILED };

test('O20: the browser is redirected exactly to the registered URL', async () => {
  const { open, approve, account } = await createConnect({ application });
  const reply = await open(await approve('ada', urls));
  expect([reply.statusCode, reply.headers.location]).toEqual([303, REGISTERED]);
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
});

test('O20: a URL that is no longer registered gets no redirect', async () => {
  const { open, approve, storage, applicationId } = await createConnect({ application });
  const callbacks = [await approve('ada', urls), await approve('bob', urls)];
  await storage.applications.update(applicationId, { redirectUrls: '[]' });
  const [done, failed] = callbacks.map((url, index) =>
    index === 0 ? url : url.replace(/code=[\w-]+/, 'error=access_denied'),
  );
  expect((await open(done ?? '')).statusCode).toBe(200);
  expect((await open(failed ?? '')).statusCode).toBe(403);
});

test.each([
  { title: 'that the user denied', parameter: 'error=access_denied', code: 'cancelled' },
  { title: 'that the user left at LinkedIn', parameter: 'error=user_cancelled_login', code: 'cancelled' },
  {
    title: 'that the user left with a code of the connector',
    parameter: 'error=user_left',
    code: 'cancelled',
  },
  {
    title: 'that an administrator denied',
    parameter: 'error=admin_policy_enforced',
    code: 'refused_by_administrator',
  },
  { title: 'that failed upstream', parameter: 'error=server_error', code: 'failed' },
  { title: 'whose code is invalid', parameter: 'code=none', code: 'failed' },
])(
  'O20: a consent $title redirects to the registered URL with $code and nothing else of the callback',
  async ({ parameter, code }) => {
    const { open, approve } = await createConnect({ application });
    const callback = (await approve('ada', urls)).replace(/code=[\w-]+/, parameter);
    const reply = await open(`${callback}&error_description=canary`);
    expect([reply.statusCode, reply.headers.location]).toEqual([303, `${FAILED}?svc_error=${code}`]);
  },
);

test('O20: a user who cancels is redirected to the registered URL, and the link remains usable', async () => {
  const { createLink, decide } = await createConnect({ application });
  const url = await createLink('ada', urls);
  expect((await decide(url, 'deny')).headers.location).toBe(`${FAILED}?svc_error=cancelled`);
  expect((await decide(url, 'allow')).statusCode).toBe(303);
});

test('O20: a callback without a valid flow gets no redirect', async () => {
  const { open, approve } = await createConnect({ application });
  const callback = await approve('ada', urls);
  const other = await open(callback, { cookie: COOKIE.cookie.replaceAll('b', 'c') });
  expect([other.statusCode, other.headers.location]).toEqual([403, undefined]);
});

test('O20: the browser is redirected to the verify URL, and the verification returns the success URL', async () => {
  const connect = await createVerifying({ application: { verifyUrl: VERIFY_URL, ...application } });
  const authRequestId = await connect.reachVerification('ada', urls);
  const reply = await connect.verify(authRequestId, 'ada');
  expect(reply.json()).toEqual({ ...(await connect.account('ada')), successUrl: REGISTERED });
});

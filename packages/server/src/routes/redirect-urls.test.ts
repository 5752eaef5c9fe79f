import { describe, expect, test } from 'vitest';
import {
  COOKIE,
  type Connect,
  createConnect,
  createVerifying,
  VERIFY_URL,
} from '../../test/support/service/create-connect.js';
import type { LinkOptions } from '../authorization/authorization-links.js';

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

const RESULT = /^https:\/\/svc\.example\.com\/connect\/result\/link_[0-9a-f]{24}$/;
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
  const connected = await open(done ?? '');
  expect([connected.statusCode, connected.headers.location]).toEqual([303, expect.stringMatching(RESULT)]);
  expect((await open(failed ?? '')).statusCode).toBe(403);
});

test.each([
  { title: 'that the user denied', parameter: 'error=access_denied', code: 'cancelled' },
  { title: 'that the user left at LinkedIn', parameter: 'error=user_cancelled_login', code: 'cancelled' },
  { title: 'that the user declined, in capitals', parameter: 'error=USER_DECLINED', code: 'cancelled' },
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
  {
    title: 'that an administrator must allow',
    parameter: 'error=admin_consent_required',
    code: 'administrator_consent_required',
  },
  {
    title: 'that an administrator must allow by the code in the description',
    parameter: 'error=access_denied&error_description=MAIL65001: The user has not consented.',
    code: 'administrator_consent_required',
  },
  { title: 'for an unknown scope', parameter: 'error=invalid_scope', code: 'invalid_scope' },
  {
    title: 'whose code is the name of a property of every object',
    parameter: 'error=constructor',
    code: 'failed',
  },
  {
    title: 'for an unknown scope with a code of the connector',
    parameter: 'error=invalid_request&error_description=MAIL70011: No such scope.',
    code: 'invalid_scope',
  },
  {
    title: 'for a client that is not allowed',
    parameter: 'error=unauthorized_client',
    code: 'unauthorized_client',
  },
  { title: 'that failed upstream', parameter: 'error=server_error', code: 'temporarily_unavailable' },
  {
    title: 'that failed upstream',
    parameter: 'error=temporarily_unavailable',
    code: 'temporarily_unavailable',
  },
  { title: 'that the upstream refused otherwise', parameter: 'error=invalid_request', code: 'failed' },
  {
    title: 'whose description hides a code of a stranger',
    parameter: 'error=invalid_request&error_description=see MAIL65001: x',
    code: 'failed',
  },
  { title: 'whose code is invalid', parameter: 'code=none', code: 'failed' },
])(
  'O20: a consent $title redirects to the registered URL with $code and nothing else of the callback',
  async ({ parameter, code }) => {
    const { open, approve } = await createConnect({ application });
    const callback = (await approve('ada', urls)).replace(/code=[\w-]+/, parameter);
    const reply = await open(`${callback}&error_uri=canary`);
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

describe('the state of a link', () => {
  const state = 'order=1&next=/a?b#c%';
  const returned = `state=${encodeURIComponent(state)}`;
  const withState = { ...urls, state };

  test('is added to the success URL', async () => {
    const { open, approve } = await createConnect({ application });
    const reply = await open(await approve('ada', withState));
    expect(reply.headers.location).toBe(`${REGISTERED}&${returned}`);
  });

  test('is added to the failure URL of a failed and of a cancelled consent', async () => {
    const { open, approve, createLink, decide } = await createConnect({ application });
    const failed = await open((await approve('ada', withState)).replace(/code=[\w-]+/, 'code=none'));
    expect(failed.headers.location).toBe(`${FAILED}?svc_error=failed&${returned}`);
    const cancelled = await decide(await createLink('ada', withState), 'deny');
    expect(cancelled.headers.location).toBe(`${FAILED}?svc_error=cancelled&${returned}`);
  });

  test('is added to the verify URL, and the verification returns it', async () => {
    const connect = await createVerifying();
    const reply = await connect.open(await connect.approve('ada', { state }));
    const location = new URL(String(reply.headers.location));
    expect(location.searchParams.get('state')).toBe(state);
    const verified = await connect.verify(location.searchParams.get('auth_request_id') ?? '', 'ada');
    expect(verified.json()).toEqual({ ...(await connect.account('ada')), state });
  });

  test.each([
    { title: 'has 513 characters', text: 'x'.repeat(513) },
    { title: 'is empty', text: '' },
    { title: 'has a line break', text: 'a\nb' },
  ])('is refused if it $title', async ({ text }) => {
    const { app } = await createConnect();
    const url = '/v1/connections/mail/accounts/ada/authorization-link';
    const reply = await app.inject({ method: 'POST', url, payload: { state: text } });
    expect([reply.statusCode, reply.headers['svc-error']]).toEqual([400, 'invalid_request']);
  });
});

describe('the scopes of a link', () => {
  const requested = async (connect: Connect, options: LinkOptions) => {
    const { headers } = await connect.decide(await connect.createLink('ada', options), 'allow');
    return new URL(String(headers.location)).searchParams.get('scope');
  };

  test('are requested instead of all scopes of the connection', async () => {
    const connect = await createConnect();
    const change = { scopes: JSON.stringify(['openid', 'mail.read', 'mail.send']) };
    await connect.database.updateTable('connections').set(change).execute();
    expect(await requested(connect, {})).toBe('openid mail.read mail.send');
    expect(await requested(connect, { requestedScopes: ['mail.read'] })).toBe('openid mail.read');
  });

  test('are refused if the connection does not have them', async () => {
    const { app } = await createConnect();
    const url = '/v1/connections/mail/accounts/ada/authorization-link';
    const reply = await app.inject({ method: 'POST', url, payload: { requestedScopes: ['mail.all'] } });
    expect([reply.statusCode, reply.headers['svc-error']]).toEqual([400, 'invalid_request']);
    expect(reply.json().error.message).toContain('mail.all');
  });
});

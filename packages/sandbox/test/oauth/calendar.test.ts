import { describe, expect, test } from 'vitest';
import { authorizationLink, connect, endpointsOf } from '../authorized.js';
import { codeFor, exchange, probe, refresh, register, sandbox, useSandbox } from './setup.js';

useSandbox();

describe('the OAuth server of the calendar', () => {
  test('returns the granted scopes with a lifetime of 3599 s, and no new refresh token on a refresh', async () => {
    const client = await register('calendar');
    const { body } = await exchange('calendar', client, { code: await codeFor('calendar', client) });
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3599,
      refresh_token: expect.stringMatching(/^1\/\/0/),
      scope: 'https://www.googleapis.com/auth/calendar',
      token_type: 'Bearer',
    });
    const renewed = await refresh('calendar', client, body.refresh_token);
    expect(Object.keys(renewed.body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
    expect((await refresh('calendar', client, body.refresh_token)).status).toBe(200);
    await sandbox.clock.advance(3_600_000);
    expect(await probe('calendar', body.access_token)).toBe(401);
  });

  test.each([
    { title: 'none with online access', params: [{ access_type: 'online' }], expected: [false] },
    { title: 'one with offline access', params: [{}], expected: [true] },
    { title: 'one only on the first offline authorization', params: [{}, {}], expected: [true, false] },
    { title: 'another one with prompt=consent', params: [{}, { prompt: 'consent' }], expected: [true, true] },
  ])('issues refresh tokens: $title', async ({ params, expected }) => {
    const client = await register('calendar');
    const given: boolean[] = [];
    for (const one of params) {
      const { body } = await exchange('calendar', client, { code: await codeFor('calendar', client, one) });
      given.push('refresh_token' in body);
    }
    expect(given).toEqual(expected);
  });

  test('adds previously granted scopes only with include_granted_scopes', async () => {
    const client = await register('calendar');
    const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
    const scopesOf = async (params: Record<string, string>) =>
      (await exchange('calendar', client, { code: await codeFor('calendar', client, params) })).body.scope
        .split(' ')
        .sort();
    await scopesOf({ scope: scope('calendar.events') });
    expect(await scopesOf({ scope: scope('calendar.calendarlist.readonly') })).toEqual([
      scope('calendar.calendarlist.readonly'),
    ]);
    expect(
      await scopesOf({ scope: scope('calendar.calendarlist.readonly'), include_granted_scopes: 'true' }),
    ).toEqual([scope('calendar.calendarlist.readonly'), scope('calendar.events')]);
  });

  test.each([
    { title: 'no scope', params: { scope: '' } },
    { title: 'an unknown scope', params: { scope: 'https://www.googleapis.com/auth/everything' } },
    { title: 'an unknown access type', params: { access_type: 'forever' } },
  ])('refuses an authorization with $title', async ({ params }) => {
    const link = authorizationLink(sandbox, 'calendar', { client: await register('calendar'), params });
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(400);
  });

  test('returns the documented error for a revoked refresh token', async () => {
    const ada = await connect(sandbox, 'calendar');
    const { revocationEndpoint } = endpointsOf(sandbox, 'calendar');
    const revoke = () =>
      fetch(revocationEndpoint, { method: 'POST', body: new URLSearchParams({ token: ada.refreshToken }) });
    expect((await revoke()).status).toBe(200);
    expect((await revoke()).status).toBe(400);
    expect(await probe('calendar', ada.token)).toBe(401);
    const dead = await refresh('calendar', ada.client, ada.refreshToken);
    expect([dead.status, dead.body]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    ]);
  });
});

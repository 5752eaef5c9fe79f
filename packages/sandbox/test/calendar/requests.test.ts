import { describe, expect, test } from 'vitest';
import { type ApiResponse, callApi, connect } from '../authorized.js';
import { ada, EVENTS, HOUR, insert, patch, reason, sandbox, useCalendar } from './setup.js';

useCalendar();

describe('a request to the calendar API', () => {
  test('is refused with authError for an invalid token', async () => {
    const response = await callApi(`${sandbox.upstream('calendar').baseUrl}${EVENTS}`, 'GET', {
      token: 'ya29.wrong',
      headers: {},
    });
    expect(response.status).toBe(401);
    expect(response.body.error).toMatchObject({
      code: 401,
      status: 'UNAUTHENTICATED',
      errors: [
        {
          domain: 'global',
          reason: 'authError',
          message: 'Invalid Credentials',
          location: 'Authorization',
          locationType: 'header',
        },
      ],
    });
  });

  test.each([
    { scope: 'calendar.events', opens: ['events', 'insert'], closed: ['list'] },
    { scope: 'calendar.readonly', opens: ['events', 'list'], closed: ['insert'] },
    { scope: 'calendar.calendarlist.readonly', opens: ['list'], closed: ['events', 'insert'] },
  ])(
    'is allowed for $opens and refused for $closed by the scope $scope',
    async ({ scope, opens, closed }) => {
      const narrow = await connect(sandbox, 'calendar', {
        params: { scope: `https://www.googleapis.com/auth/${scope}` },
      });
      const calls: Record<string, () => Promise<ApiResponse>> = {
        events: () => narrow.call('GET', EVENTS),
        insert: () => narrow.call('POST', EVENTS, { body: HOUR }),
        list: () => narrow.call('GET', '/calendar/v3/users/me/calendarList'),
      };
      for (const name of opens) expect((await calls[name]?.())?.status, name).toBe(200);
      for (const name of closed) {
        const response = await calls[name]?.();
        expect(response?.body.error).toMatchObject({
          code: 403,
          status: 'PERMISSION_DENIED',
          errors: [{ domain: 'global', reason: 'insufficientPermissions' }],
          details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
        });
        expect(response?.headers.get('www-authenticate')).toContain('insufficient_scope');
      }
    },
  );

  test('uses quota of its user: 3 units for a PATCH, renewed after a minute', async () => {
    await sandbox.dials('calendar', { quotaPerMinute: 5 });
    const { body } = await insert(HOUR);
    expect((await patch(body.id, { summary: 'x' })).status).toBe(200);
    expect(reason(await patch(body.id, { summary: 'y' }))).toEqual([
      403,
      'usageLimits',
      'userRateLimitExceeded',
    ]);
    await sandbox.clock.advance(61_000);
    expect((await patch(body.id, { summary: 'y' })).status).toBe(200);
  });

  test('returns only the requested fields and refuses malformed ones', async () => {
    const { body } = await insert(HOUR);
    expect(
      (await ada.call('GET', `${EVENTS}/${body.id}?fields=id,start(dateTime),creator/email`)).body,
    ).toEqual({
      id: body.id,
      start: { dateTime: '2027-03-01T09:00:00Z' },
      creator: { email: 'ada@example.com' },
    });
    const unread = await ada.call('GET', `${EVENTS}?fields=items(id`);
    expect(reason(unread)).toEqual([400, 'global', 'invalidParameter']);
  });
});

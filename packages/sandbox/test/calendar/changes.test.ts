import { describe, expect, test } from 'vitest';
import { ada, at, EVENTS, get, HOUR, insert, patch, reason, useCalendar } from './setup.js';

useCalendar();

describe('a change of an event', () => {
  test('keeps absent fields, replaces given fields and removes null fields', async () => {
    const { body } = await insert({ ...HOUR, location: 'Here', description: 'Long', visibility: 'private' });
    const changed = await patch(body.id, { summary: 'Other', description: null });
    expect(changed.body).toMatchObject({
      summary: 'Other',
      location: 'Here',
      visibility: 'private',
      sequence: 0,
      start: body.start,
    });
    expect(changed.body.description).toBeUndefined();
    expect(changed.body.etag).not.toBe(body.etag);
    expect((await patch(body.id, { end: at('2027-03-01T11:00:00Z') })).body.sequence).toBe(1);
    expect(reason(await patch(body.id, { start: at('2027-03-01T12:00:00Z') }))).toEqual([
      400,
      'calendar',
      'timeRangeEmpty',
    ]);
  });

  test('replaces the whole list of guests and resets their responses', async () => {
    const { body } = await insert({
      ...HOUR,
      attendees: [{ email: 'a@example.com', responseStatus: 'accepted' }, { email: 'b@example.com' }],
    });
    const changed = await patch(body.id, { attendees: [{ email: 'a@example.com' }] });
    expect(changed.body.attendees).toEqual([{ email: 'a@example.com', responseStatus: 'needsAction' }]);
  });

  test('is refused with a stale etag and accepted with the current one', async () => {
    const { body } = await insert(HOUR);
    await patch(body.id, { summary: 'Newer' });
    const stale = await ada.call('PATCH', `${EVENTS}/${body.id}`, {
      body: { summary: 'Lost' },
      headers: { 'if-match': body.etag },
    });
    expect(reason(stale)).toEqual([412, 'global', 'conditionNotMet']);
    const { etag } = (await get(body.id)).body;
    expect(
      (
        await ada.call('PATCH', `${EVENTS}/${body.id}`, {
          body: { summary: 'Won' },
          headers: { 'if-match': etag },
        })
      ).status,
    ).toBe(200);
    expect((await ada.call('DELETE', `${EVENTS}/${body.id}`, { headers: { 'if-match': etag } })).status).toBe(
      412,
    );
  });

  test('replaces the whole event with PUT', async () => {
    const { body } = await insert({ ...HOUR, location: 'Here' });
    const replaced = await ada.call('PUT', `${EVENTS}/${body.id}`, {
      body: { summary: 'New', start: HOUR.start, end: HOUR.end },
    });
    expect(replaced.body).toMatchObject({ id: body.id, summary: 'New' });
    expect(replaced.body.location).toBeUndefined();
    expect((await ada.call('PUT', `${EVENTS}/${body.id}`, { body: { summary: 'No times' } })).status).toBe(
      400,
    );
  });

  test('cannot change the event type', async () => {
    const { body } = await insert(HOUR);
    expect((await patch(body.id, { eventType: 'focusTime' })).status).toBe(400);
  });
});

describe('a conference', () => {
  const room = (requestId: string) => ({
    conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
  });

  test('is ignored without conferenceDataVersion=1', async () => {
    const { status, body } = await insert({ ...HOUR, ...room('a') });
    expect(status).toBe(200);
    expect(body.conferenceData).toBeUndefined();
    expect((await get(body.id)).body.conferenceData).toBeUndefined();
  });

  test('is pending in the first response and ready in the next', async () => {
    const { body } = await insert({ ...HOUR, ...room('a') }, '?conferenceDataVersion=1');
    expect(body.conferenceData.createRequest.status).toEqual({ statusCode: 'pending' });
    expect([body.hangoutLink, body.conferenceData.entryPoints]).toEqual([undefined, undefined]);
    const ready = (await get(body.id)).body;
    expect(ready.conferenceData.createRequest.status).toEqual({ statusCode: 'success' });
    expect(ready.conferenceData.entryPoints).toMatchObject([
      { entryPointType: 'video', uri: ready.hangoutLink },
    ]);
  });

  test('is created once per request id and removed with null', async () => {
    const { body } = await insert({ ...HOUR, ...room('a') }, '?conferenceDataVersion=1');
    const { hangoutLink } = (await get(body.id)).body;
    expect((await patch(body.id, room('a'), '?conferenceDataVersion=1')).body.hangoutLink).toBe(hangoutLink);
    expect((await patch(body.id, { conferenceData: null })).body.hangoutLink).toBe(hangoutLink);
    expect(
      (await patch(body.id, { conferenceData: null }, '?conferenceDataVersion=1')).body.hangoutLink,
    ).toBeUndefined();
  });

  test.each([
    {
      title: 'an unknown solution',
      body: {
        conferenceData: { createRequest: { requestId: 'a', conferenceSolutionKey: { type: 'phone' } } },
      },
    },
    { title: 'no request id', body: { conferenceData: { createRequest: {} } } },
  ])('is refused with $title', async ({ body }) => {
    expect((await insert({ ...HOUR, ...body }, '?conferenceDataVersion=1')).status).toBe(400);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../src/index.js';
import { type Answer, type Connected, callApi, connect } from './authorized.js';

let sandbox: Sandbox;
let ada: Connected;

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['calendar'] });
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await sandbox.reset();
  ada = await connect(sandbox, 'calendar', { user: 'ada' });
});

const EVENTS = '/calendar/v3/calendars/primary/events';
const at = (dateTime: string, timeZone?: string) => ({
  dateTime,
  ...(timeZone === undefined ? {} : { timeZone }),
});
const HOUR = { summary: 'One hour', start: at('2027-03-01T09:00:00Z'), end: at('2027-03-01T10:00:00Z') };

const insert = (body: object, query = '') => ada.call('POST', `${EVENTS}${query}`, { body });
const patch = (id: string, body: object, query = '') =>
  ada.call('PATCH', `${EVENTS}/${id}${query}`, { body });
const get = (id: string) => ada.call('GET', `${EVENTS}/${id}`);
const list = (query: Record<string, string>) => ada.call('GET', `${EVENTS}?${new URLSearchParams(query)}`);
const reason = ({ status, body }: Answer) => [
  status,
  body.error.errors[0].domain,
  body.error.errors[0].reason,
];
// biome-ignore lint/suspicious/noExplicitAny: answers are read freely in expectations
const items = ({ body }: Answer): any[] => body.items;

describe('every request', () => {
  test('without a good token gets the authorization error', async () => {
    const answer = await callApi(`${sandbox.upstream('calendar').baseUrl}${EVENTS}`, 'GET', {
      token: 'ya29.wrong',
      headers: {},
    });
    expect(answer.status).toBe(401);
    expect(answer.body.error).toMatchObject({
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
  ])('with scope $scope opens $opens and not $closed', async ({ scope, opens, closed }) => {
    const narrow = await connect(sandbox, 'calendar', {
      params: { scope: `https://www.googleapis.com/auth/${scope}` },
    });
    const calls: Record<string, () => Promise<Answer>> = {
      events: () => narrow.call('GET', EVENTS),
      insert: () => narrow.call('POST', EVENTS, { body: HOUR }),
      list: () => narrow.call('GET', '/calendar/v3/users/me/calendarList'),
    };
    for (const name of opens) expect((await calls[name]?.())?.status, name).toBe(200);
    for (const name of closed) {
      const answer = await calls[name]?.();
      expect(answer?.body.error).toMatchObject({
        code: 403,
        status: 'PERMISSION_DENIED',
        errors: [{ domain: 'global', reason: 'insufficientPermissions' }],
        details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
      });
      expect(answer?.headers.get('www-authenticate')).toContain('insufficient_scope');
    }
  });

  test('spends quota of its user; a PATCH costs three units, and a minute later there is more', async () => {
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

  test('answers only the fields that are asked for', async () => {
    const { body } = await insert(HOUR);
    expect(
      (await ada.call('GET', `${EVENTS}/${body.id}?fields=id,start(dateTime),creator/email`)).body,
    ).toEqual({
      id: body.id,
      start: { dateTime: '2027-03-01T09:00:00Z' },
      creator: { email: 'ada@example.com' },
    });
    expect((await ada.call('GET', `${EVENTS}?fields=items(id`)).status).toBe(400);
  });
});

describe('the calendar list', () => {
  const calendars = (query = '') => ada.call('GET', `/calendar/v3/users/me/calendarList${query}`);

  test('has one primary calendar, and hides what is hidden', async () => {
    const { body } = await calendars();
    expect(body).toMatchObject({ kind: 'calendar#calendarList', nextSyncToken: expect.any(String) });
    expect(body.items.filter(({ primary }: { primary?: boolean }) => primary)).toMatchObject([
      { kind: 'calendar#calendarListEntry', id: 'ada@example.com', accessRole: 'owner' },
    ]);
    expect(body.items).toHaveLength(3);
    expect(items(await calendars('?showHidden=true'))).toHaveLength(4);
    expect(items(await calendars('?minAccessRole=writer'))).toHaveLength(2);
  });

  test('comes in pages', async () => {
    const first = await calendars('?maxResults=2');
    expect(first.body.nextSyncToken).toBeUndefined();
    const second = await calendars(`?maxResults=2&pageToken=${first.body.nextPageToken}`);
    expect([...items(first), ...items(second)]).toHaveLength(3);
    expect(second.body.nextPageToken).toBeUndefined();
  });

  test.each([
    { query: 'maxResults=251' },
    { query: 'maxResults=0' },
    { query: 'minAccessRole=boss' },
    { query: 'pageToken=x' },
    { query: 'showHidden=yes' },
  ])('refuses $query', async ({ query }) => {
    expect(reason(await calendars(`?${query}`))).toEqual([400, 'global', 'invalid']);
  });

  test('takes no sync token beside a role', async () => {
    const { body } = await calendars();
    expect((await calendars(`?syncToken=${body.nextSyncToken}`)).body.items).toEqual([]);
    expect((await calendars(`?syncToken=${body.nextSyncToken}&minAccessRole=owner`)).status).toBe(400);
  });

  test('finds a calendar with a # in its id when it is encoded, and lets nobody write to it', async () => {
    const id = encodeURIComponent('en.uk#holiday@group.v.calendar.google.com');
    expect(items(await ada.call('GET', `/calendar/v3/calendars/${id}/events`))).toHaveLength(1);
    expect((await ada.call('POST', `/calendar/v3/calendars/${id}/events`, { body: HOUR })).status).toBe(403);
    expect(reason(await ada.call('GET', '/calendar/v3/calendars/nobody%40example.com/events'))).toEqual([
      404,
      'global',
      'notFound',
    ]);
  });
});

describe('an event', () => {
  test('is created with what the service adds, and found again', async () => {
    const { status, body } = await insert({
      ...HOUR,
      location: 'Here',
      unknown: 'dropped',
      attendees: [{ email: 'grace@example.com' }, { email: 'ada@example.com', responseStatus: 'accepted' }],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'calendar#event',
      status: 'confirmed',
      summary: 'One hour',
      start: { dateTime: '2027-03-01T09:00:00Z', timeZone: 'Europe/London' },
      creator: { email: 'ada@example.com', self: true },
      organizer: { email: 'ada@example.com', self: true },
      attendees: [
        { email: 'grace@example.com', responseStatus: 'needsAction' },
        { email: 'ada@example.com', responseStatus: 'accepted', organizer: true, self: true },
      ],
      iCalUID: `${body.id}@google.com`,
      sequence: 0,
      reminders: { useDefault: true },
      eventType: 'default',
    });
    expect(body.unknown).toBeUndefined();
    expect(body.visibility).toBeUndefined();
    expect((await get(body.id)).body).toEqual(body);
    expect(items(await list({ q: 'one hour' }))).toHaveLength(1);
    const grace = await connect(sandbox, 'calendar', { user: 'grace' });
    expect((await grace.call('GET', `${EVENTS}/${body.id}`)).status).toBe(404);
  });

  test.each([
    {
      title: 'no end',
      body: { start: HOUR.start },
      error: [400, 'global', 'required'],
      message: 'Missing end time.',
    },
    { title: 'no start', body: { end: HOUR.end }, error: [400, 'global', 'required'] },
    {
      title: 'an end before its start',
      body: { start: HOUR.end, end: HOUR.start },
      error: [400, 'calendar', 'timeRangeEmpty'],
    },
    {
      title: 'no length',
      body: { start: HOUR.start, end: HOUR.start },
      error: [400, 'calendar', 'timeRangeEmpty'],
    },
    {
      title: 'neither offset nor time zone',
      body: { start: at('2027-03-01T09:00:00'), end: HOUR.end },
      error: [400, 'global', 'required'],
      message: 'Missing time zone definition for start time.',
    },
    {
      title: 'an unknown time zone',
      body: { start: at('2027-03-01T09:00:00', 'Europe/Nowhere'), end: HOUR.end },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'a day that does not exist',
      body: { start: at('2027-02-30T09:00:00Z'), end: HOUR.end },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'a date and a time',
      body: { start: { date: '2027-03-01' }, end: HOUR.end },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'a recurrence without time zone',
      body: { ...HOUR, recurrence: ['RRULE:FREQ=DAILY'] },
      error: [400, 'global', 'required'],
      message: 'Missing time zone definition for start time.',
    },
    {
      title: 'a DTSTART line',
      body: {
        start: at('2027-03-01T09:00:00Z', 'UTC'),
        end: at('2027-03-01T10:00:00Z', 'UTC'),
        recurrence: ['DTSTART:20270301T090000Z'],
      },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'a transparency of free',
      body: { ...HOUR, transparency: 'free' },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'an unknown event type',
      body: { ...HOUR, eventType: 'meeting' },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'a guest without an address',
      body: { ...HOUR, attendees: [{ displayName: 'x' }] },
      error: [400, 'global', 'required'],
    },
    {
      title: 'six reminders',
      body: {
        ...HOUR,
        reminders: {
          useDefault: false,
          overrides: Array.from({ length: 6 }, () => ({ method: 'popup', minutes: 1 })),
        },
      },
      error: [400, 'global', 'invalid'],
    },
    { title: 'an id with capitals', body: { ...HOUR, id: 'ABCDEF' }, error: [400, 'global', 'invalid'] },
    { title: 'sendUpdates=true', body: HOUR, query: '?sendUpdates=true', error: [400, 'global', 'invalid'] },
  ])('is refused with $title', async ({ body, query, error, message }) => {
    const answer = await insert(body, query);
    expect(reason(answer)).toEqual(error);
    if (message !== undefined) expect(answer.body.error.message).toBe(message);
  });

  test('is refused when its body is no JSON', async () => {
    expect(reason(await ada.call('POST', EVENTS, { body: '{' }))).toEqual([400, 'global', 'parseError']);
  });

  test('keeps its own id for ever', async () => {
    const own = { ...HOUR, id: 'ourevent1' };
    expect((await insert(own)).status).toBe(200);
    expect(reason(await insert(own))).toEqual([409, 'global', 'duplicate']);
    await ada.call('DELETE', `${EVENTS}/ourevent1`);
    expect(reason(await insert(own))).toEqual([409, 'global', 'duplicate']);
  });

  test('is deleted with 204, once, and can still be read as cancelled', async () => {
    const { body } = await insert(HOUR);
    const gone = await ada.call('DELETE', `${EVENTS}/${body.id}`);
    expect([gone.status, gone.body]).toEqual([204, undefined]);
    expect(reason(await ada.call('DELETE', `${EVENTS}/${body.id}`))).toEqual([410, 'global', 'deleted']);
    expect((await get(body.id)).body).toMatchObject({ id: body.id, status: 'cancelled' });
    expect(items(await list({ q: 'One hour' }))).toEqual([]);
    expect(items(await list({ q: 'One hour', showDeleted: 'true' }))).toHaveLength(1);
    expect(reason(await ada.call('DELETE', `${EVENTS}/never`))).toEqual([404, 'global', 'notFound']);
  });

  test('of somebody else cannot be changed by a guest, but answered', async () => {
    expect(reason(await patch('seedplanning', { summary: 'Mine now' }))).toEqual([
      403,
      'calendar',
      'forbiddenForNonOrganizer',
    ]);
    const answered = await patch('seedplanning', {
      attendees: [{ email: 'ada@example.com', responseStatus: 'accepted' }],
    });
    expect(answered.body.attendees).toMatchObject([
      { email: 'ada@example.com', responseStatus: 'accepted', self: true },
    ]);
  });

  test('lasts whole days when it has dates', async () => {
    const { body } = await insert({
      summary: 'Day',
      start: { date: '2027-03-01' },
      end: { date: '2027-03-02' },
    });
    expect([body.start, body.end]).toEqual([{ date: '2027-03-01' }, { date: '2027-03-02' }]);
    expect(
      (await patch(body.id, { start: at('2027-03-01T09:00:00Z'), end: at('2027-03-01T10:00:00Z') })).status,
    ).toBe(400);
    const timed = await patch(body.id, {
      start: { date: null, dateTime: '2027-03-01T09:00:00Z' },
      end: { date: null, dateTime: '2027-03-01T10:00:00Z' },
    });
    expect(timed.body.start.dateTime).toBe('2027-03-01T09:00:00Z');
  });
});

describe('a change', () => {
  test('keeps what is absent, replaces what is given, and removes what is null', async () => {
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

  test('of the guests replaces the whole list and resets their answers', async () => {
    const { body } = await insert({
      ...HOUR,
      attendees: [{ email: 'a@example.com', responseStatus: 'accepted' }, { email: 'b@example.com' }],
    });
    const changed = await patch(body.id, { attendees: [{ email: 'a@example.com' }] });
    expect(changed.body.attendees).toEqual([{ email: 'a@example.com', responseStatus: 'needsAction' }]);
  });

  test('with a stale etag is refused, with the current one it is made', async () => {
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

  test('by PUT puts the body in the place of the event', async () => {
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

  test('of the event type is refused', async () => {
    const { body } = await insert(HOUR);
    expect((await patch(body.id, { eventType: 'focusTime' })).status).toBe(400);
  });
});

describe('a meeting room', () => {
  const room = (requestId: string) => ({
    conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
  });

  test('is ignored in silence without conferenceDataVersion=1', async () => {
    const { status, body } = await insert({ ...HOUR, ...room('a') });
    expect(status).toBe(200);
    expect(body.conferenceData).toBeUndefined();
    expect((await get(body.id)).body.conferenceData).toBeUndefined();
  });

  test('is pending in the first answer and ready in the next', async () => {
    const { body } = await insert({ ...HOUR, ...room('a') }, '?conferenceDataVersion=1');
    expect(body.conferenceData.createRequest.status).toEqual({ statusCode: 'pending' });
    expect([body.hangoutLink, body.conferenceData.entryPoints]).toEqual([undefined, undefined]);
    const ready = (await get(body.id)).body;
    expect(ready.conferenceData.createRequest.status).toEqual({ statusCode: 'success' });
    expect(ready.conferenceData.entryPoints).toMatchObject([
      { entryPointType: 'video', uri: ready.hangoutLink },
    ]);
  });

  test('is not made twice for one request id, and goes when it is set to null', async () => {
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

describe('the list', () => {
  beforeEach(async () => {
    for (const hour of ['09', '11', '10']) {
      await insert({
        summary: `Listed ${hour}`,
        start: at(`2027-03-01T${hour}:00:00Z`),
        end: at(`2027-03-01T${hour}:30:00Z`),
      });
    }
  });
  const summaries = (answer: Answer) => items(answer).map(({ summary }) => summary);

  test.each([
    {
      title: 'timeMin looks at the end, which is outside',
      query: { timeMin: '2027-03-01T09:30:00Z', timeMax: '2027-03-02T00:00:00Z' },
      hours: ['10', '11'],
    },
    {
      title: 'an event that has begun is in',
      query: { timeMin: '2027-03-01T09:29:00Z', timeMax: '2027-03-02T00:00:00Z' },
      hours: ['09', '10', '11'],
    },
    {
      title: 'timeMax looks at the start, which is outside',
      query: { timeMin: '2027-03-01T00:00:00Z', timeMax: '2027-03-01T11:00:00Z' },
      hours: ['09', '10'],
    },
    {
      title: 'offsets count',
      query: { timeMin: '2027-03-01T11:00:00+01:00', timeMax: '2027-03-01T10:01:00Z' },
      hours: ['10'],
    },
  ])('is bounded: $title', async ({ query, hours }) => {
    const answer = await list({ ...query, q: 'Listed', singleEvents: 'true', orderBy: 'startTime' });
    expect(summaries(answer)).toEqual(hours.map((hour) => `Listed ${hour}`));
  });

  test.each([
    {
      title: 'a bound without offset',
      query: { timeMin: '2027-03-01T00:00:00' },
      error: [400, 'global', 'badRequest'],
    },
    {
      title: 'bounds in the wrong order',
      query: { timeMin: '2027-03-02T00:00:00Z', timeMax: '2027-03-01T00:00:00Z' },
      error: [400, 'calendar', 'timeRangeEmpty'],
    },
    {
      title: 'an order by start without expansion',
      query: { orderBy: 'startTime' },
      error: [400, 'global', 'badRequest'],
    },
    { title: 'an unknown order', query: { orderBy: 'summary' }, error: [400, 'global', 'invalid'] },
    { title: 'too many results', query: { maxResults: '2501' }, error: [400, 'global', 'invalid'] },
    {
      title: 'an old updatedMin',
      query: { updatedMin: '2020-01-01T00:00:00Z' },
      error: [410, 'calendar', 'updatedMinTooLongAgo'],
    },
    {
      title: 'a sync token that is none',
      query: { syncToken: 'x' },
      error: [410, 'calendar', 'fullSyncRequired'],
    },
  ])('refuses $title', async ({ query, error }) => {
    expect(reason(await list(query))).toEqual(error);
  });

  test('comes in pages, which belong to their filters', async () => {
    const query = { q: 'Listed', singleEvents: 'true', orderBy: 'startTime', maxResults: '2' };
    const first = await list(query);
    expect(first.body).toMatchObject({
      kind: 'calendar#events',
      summary: 'ada@example.com',
      timeZone: 'Europe/London',
      accessRole: 'owner',
    });
    const second = await list({ ...query, pageToken: first.body.nextPageToken });
    expect([...summaries(first), ...summaries(second)]).toEqual(['Listed 09', 'Listed 10', 'Listed 11']);
    expect(second.body.nextPageToken).toBeUndefined();
    expect((await list({ ...query, q: 'Other', pageToken: first.body.nextPageToken })).status).toBe(400);
  });

  test('tells after a sync what changed, deletions included', async () => {
    const { nextSyncToken } = (await list({})).body;
    const { body } = await insert(HOUR);
    await ada.call('DELETE', `${EVENTS}/seedlunch`);
    const changes = await list({ syncToken: nextSyncToken });
    expect(
      items(changes)
        .map(({ id, status }) => [id, status])
        .sort(),
    ).toEqual(
      [
        [body.id, 'confirmed'],
        ['seedlunch', 'cancelled'],
      ].sort(),
    );
    expect(items(await list({ syncToken: changes.body.nextSyncToken }))).toEqual([]);
    expect((await list({ syncToken: nextSyncToken, q: 'x' })).status).toBe(400);
    await sandbox.clock.advance(31 * 24 * 3600 * 1000);
    ada = await connect(sandbox, 'calendar', { user: 'ada' });
    expect(reason(await list({ syncToken: nextSyncToken }))).toEqual([410, 'calendar', 'fullSyncRequired']);
  });

  test('answers times in the zone that is asked for', async () => {
    const answer = await list({ q: 'Listed 09', timeZone: 'Asia/Tokyo' });
    expect(answer.body.timeZone).toBe('Asia/Tokyo');
    expect(items(answer)[0].start).toEqual({
      dateTime: '2027-03-01T18:00:00+09:00',
      timeZone: 'Europe/London',
    });
  });
});

describe('a series', () => {
  const ZONE = 'Europe/London';
  const series = (recurrence: string[], start = '2027-03-22T09:00:00') => ({
    summary: 'Series',
    start: at(start, ZONE),
    end: at(start.replace('09:00', '09:30'), ZONE),
    recurrence,
  });
  const expand = async (query: Record<string, string> = {}) =>
    items(await list({ q: 'Series', singleEvents: 'true', orderBy: 'startTime', ...query }));
  const days = async (query?: Record<string, string>) =>
    (await expand(query)).map(({ start }) => (start.dateTime ?? start.date).slice(0, 10));

  test.each([
    {
      title: 'every day, three times',
      rule: 'FREQ=DAILY;COUNT=3',
      expected: ['2027-03-22', '2027-03-23', '2027-03-24'],
    },
    {
      title: 'every second day until a day',
      rule: 'FREQ=DAILY;INTERVAL=2;UNTIL=20270326',
      expected: ['2027-03-22', '2027-03-24', '2027-03-26'],
    },
    {
      title: 'until an instant that ends before the last',
      rule: 'FREQ=DAILY;UNTIL=20270324T085959Z',
      expected: ['2027-03-22', '2027-03-23'],
    },
    {
      title: 'on some days of the week',
      rule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=4',
      expected: ['2027-03-22', '2027-03-24', '2027-03-26', '2027-03-29'],
    },
    {
      title: 'every second week',
      rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;COUNT=4',
      expected: ['2027-03-22', '2027-03-28', '2027-04-05', '2027-04-11'],
    },
    {
      title: 'every weekday',
      rule: 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=6',
      expected: ['2027-03-22', '2027-03-23', '2027-03-24', '2027-03-25', '2027-03-26', '2027-03-29'],
    },
    { title: 'every month on its day', rule: 'FREQ=MONTHLY;COUNT=2', expected: ['2027-03-22', '2027-04-22'] },
    {
      title: 'the fourth Monday of the month',
      rule: 'FREQ=MONTHLY;BYDAY=4MO;COUNT=3',
      expected: ['2027-03-22', '2027-04-26', '2027-05-24'],
    },
    {
      title: 'the last day of the month, after the first',
      rule: 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3',
      expected: ['2027-03-22', '2027-03-31', '2027-04-30'],
    },
    { title: 'every year', rule: 'FREQ=YEARLY;COUNT=2', expected: ['2027-03-22', '2028-03-22'] },
  ])('repeats $title', async ({ rule, expected }) => {
    expect((await insert(series([`RRULE:${rule}`]))).status).toBe(200);
    expect(await days({ timeMax: '2029-01-01T00:00:00Z' })).toEqual(expected);
  });

  test('leaves days out and takes others in', async () => {
    await insert(
      series(['RRULE:FREQ=DAILY;COUNT=3', `EXDATE;TZID=${ZONE}:20270323T090000`, 'RDATE:20270401T080000Z']),
    );
    expect(await days()).toEqual(['2027-03-22', '2027-03-24', '2027-04-01']);
  });

  test.each([
    'FREQ=HOURLY',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=2;UNTIL=20270401',
    'INTERVAL=2',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=DAILY;BYLUCK=1',
  ])('refuses %s', async (rule) => {
    expect(reason(await insert(series([`RRULE:${rule}`])))).toEqual([400, 'global', 'invalid']);
  });

  test('keeps its time on the wall over daylight saving, and names its instances', async () => {
    const { body } = await insert(series(['RRULE:FREQ=WEEKLY;COUNT=2']));
    const [before, after] = await expand();
    expect([before.start.dateTime, after.start.dateTime]).toEqual([
      '2027-03-22T09:00:00Z',
      '2027-03-29T09:00:00+01:00',
    ]);
    expect(after).toMatchObject({
      id: `${body.id}_20270329T080000Z`,
      recurringEventId: body.id,
      originalStartTime: { dateTime: '2027-03-29T09:00:00+01:00' },
    });
    expect(after.recurrence).toBeUndefined();
    expect((await get(after.id)).body.id).toBe(after.id);
    expect((await get(`${body.id}_20270330T080000Z`)).status).toBe(404);
  });

  test('is one item where it is not expanded, found by any of its instances', async () => {
    const { body } = await insert(series(['RRULE:FREQ=WEEKLY']));
    const found = items(
      await list({ q: 'Series', timeMin: '2028-01-01T00:00:00Z', timeMax: '2028-01-08T00:00:00Z' }),
    );
    expect(found).toMatchObject([
      { id: body.id, recurrence: ['RRULE:FREQ=WEEKLY'], start: { dateTime: '2027-03-22T09:00:00Z' } },
    ]);
    expect(await days({ timeMin: '2028-01-01T00:00:00Z', timeMax: '2028-01-08T00:00:00Z' })).toEqual([
      '2028-01-03',
    ]);
  });

  test('takes exceptions: one instance moved, one cancelled', async () => {
    const { body } = await insert(series(['RRULE:FREQ=DAILY;COUNT=3']));
    const [first, second] = await expand();
    await patch(first.id, {
      summary: 'Series moved',
      start: at('2027-03-22T15:00:00Z'),
      end: at('2027-03-22T16:00:00Z'),
    });
    expect((await ada.call('DELETE', `${EVENTS}/${second.id}`)).status).toBe(204);
    expect((await expand()).map(({ summary }) => summary)).toEqual(['Series moved', 'Series']);
    const all = items(await list({ iCalUID: `${body.id}@google.com` }));
    expect(all.filter(({ status }) => status === 'cancelled')).toEqual([
      {
        kind: 'calendar#event',
        etag: expect.any(String),
        id: second.id,
        status: 'cancelled',
        recurringEventId: body.id,
        originalStartTime: second.originalStartTime,
      },
    ]);
    const instances = await ada.call('GET', `${EVENTS}/${body.id}/instances?showDeleted=true`);
    expect(items(instances)).toHaveLength(3);
    expect((await patch(first.id, { recurrence: ['RRULE:FREQ=DAILY'] })).status).toBe(400);
  });

  test('goes as a whole when its own id is deleted', async () => {
    const { body } = await insert(series(['RRULE:FREQ=DAILY;COUNT=3']));
    const [first] = await expand();
    await patch(first.id, { summary: 'Series moved' });
    await ada.call('DELETE', `${EVENTS}/${body.id}`);
    expect(await expand()).toEqual([]);
    expect((await get(first.id)).body.status).toBe('cancelled');
  });

  test('of whole days is expanded by its dates', async () => {
    const { body } = await insert({
      summary: 'Series',
      start: { date: '2027-03-27' },
      end: { date: '2027-03-28' },
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    });
    expect((await expand()).map(({ id, start, end }) => [id, start.date, end.date])).toEqual([
      [`${body.id}_20270327`, '2027-03-27', '2027-03-28'],
      [`${body.id}_20270328`, '2027-03-28', '2027-03-29'],
      [`${body.id}_20270329`, '2027-03-29', '2027-03-30'],
    ]);
  });
});

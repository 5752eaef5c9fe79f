import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../errors.js';
import type { CalendarUpdateEventInput } from '../../../generated/handlers.js';
import type { UpstreamRequest } from '../../handler.js';
import { noMcp } from '../../upstream-access.js';
import { updateEvent } from './update-event.js';

const PATH = '/calendar/v3/calendars/primary/events/a';
const stored = {
  id: 'a',
  etag: '"1"',
  start: { dateTime: '2026-12-01T09:00:00Z', timeZone: 'UTC' },
  end: { dateTime: '2026-12-01T09:30:00Z', timeZone: 'UTC' },
  attendees: [
    { email: 'ada@example.com', responseStatus: 'accepted' },
    { email: 'old@example.com', responseStatus: 'declined' },
  ],
};
const lostRace = new ServiceError('upstream_failed', 'Precondition failed', { status: 412, body: {} });
const room = (requestId: string) => ({
  createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } },
});

/** Updates an event. The fake upstream returns `responses` in order, and throws those that are errors. */
async function run(change: Partial<CalendarUpdateEventInput>, responses: readonly unknown[]) {
  const sent: UpstreamRequest[] = [];
  const send = async (request: UpstreamRequest) => {
    const response = responses[sent.push(request) - 1];
    if (response instanceof Error) throw response;
    return response;
  };
  let ids = 0;
  const context = {
    now: () => new Date('2026-11-20T12:00:00Z'),
    randomId: () => `id-${++ids}`,
    sleep: async () => undefined,
    mcp: noMcp,
    download: () => expect.unreachable('The tool downloads nothing.'),
    exchange: () => expect.unreachable('The tool reads no headers.'),
    readLink: () => expect.unreachable('The tool opens no link.'),
    takeMemory: () => undefined,
  };
  const outcome = await updateEvent(
    { calendar_id: 'primary', event_id: 'a', ...change },
    send,
    context,
  ).catch((error: unknown) => error);
  return { sent, outcome };
}

const get = { method: 'GET', path: PATH };
const patch = (body: object, rest: object = { headers: { 'If-Match': '"1"' } }) => ({
  method: 'PATCH',
  path: PATH,
  ...rest,
  body,
});

interface Row {
  readonly title: string;
  readonly change: Partial<CalendarUpdateEventInput>;
  readonly event?: object;
  readonly sent: readonly object[];
}

describe('the requests of an event update', () => {
  test.each<Row>([
    {
      title: 'contain plain fields in one call',
      change: { summary: 'New', location: 'Room 5', send_updates: true },
      sent: [patch({ summary: 'New', location: 'Room 5' }, { query: { sendUpdates: 'all' } })],
    },
    {
      title: 'contain a new start and duration in one call',
      change: { start_datetime: '2026-12-01T10:00:00Z', event_duration_hour: 1 },
      sent: [
        patch(
          {
            start: { date: null, dateTime: '2026-12-01T10:00:00Z' },
            end: { date: null, dateTime: '2026-12-01T11:00:00Z' },
          },
          {},
        ),
      ],
    },
    {
      title: 'contain only a new start without the end',
      change: { start_datetime: '2026-12-01T08:00:00Z' },
      sent: [patch({ start: { date: null, dateTime: '2026-12-01T08:00:00Z' } }, {})],
    },
    {
      title: 'contain a duration after reading the start',
      change: { event_duration_hour: 2 },
      event: stored,
      sent: [get, patch({ end: { date: null, dateTime: '2026-12-01T11:00:00Z', timeZone: 'UTC' } })],
    },
    {
      title: 'contain a time zone for both ends after reading them',
      change: { timezone: 'Asia/Tokyo' },
      event: stored,
      sent: [
        get,
        patch({
          start: { date: null, dateTime: '2026-12-01T09:00:00Z', timeZone: 'Asia/Tokyo' },
          end: { date: null, dateTime: '2026-12-01T09:30:00Z', timeZone: 'Asia/Tokyo' },
        }),
      ],
    },
    {
      title: 'contain the given guests merged with the stored ones',
      change: { attendees_emails: ['ada@example.com', 'new@example.com'] },
      event: stored,
      sent: [
        get,
        patch({
          attendees: [{ email: 'ada@example.com', responseStatus: 'accepted' }, { email: 'new@example.com' }],
        }),
      ],
    },
    {
      title: 'contain a meeting room with a new id',
      change: { create_meeting_room: true },
      event: stored,
      sent: [
        get,
        patch(
          { conferenceData: room('id-1') },
          { query: { conferenceDataVersion: 1 }, headers: { 'If-Match': '"1"' } },
        ),
      ],
    },
    {
      title: 'contain no second meeting room',
      change: { create_meeting_room: true, summary: 'New' },
      event: { ...stored, conferenceData: { conferenceId: 'abc' } },
      sent: [get, patch({ summary: 'New' })],
    },
    {
      title: 'contain no meeting room for create_meeting_room=false',
      change: { create_meeting_room: false, summary: 'New' },
      sent: [patch({ summary: 'New' }, {})],
    },
    {
      title: 'contain a recurrence with the time zone of the event on both ends',
      change: { recurrence: ['RRULE:FREQ=DAILY'] },
      event: stored,
      sent: [
        get,
        patch({
          recurrence: ['RRULE:FREQ=DAILY'],
          start: { date: null, ...stored.start },
          end: { date: null, ...stored.end },
        }),
      ],
    },
    {
      title: 'contain only a recurrence for an all-day event',
      change: { recurrence: ['RRULE:FREQ=DAILY'] },
      event: { id: 'a', start: { date: '2026-12-01' }, end: { date: '2026-12-02' } },
      sent: [get, patch({ recurrence: ['RRULE:FREQ=DAILY'] }, {})],
    },
    {
      title: 'contain the end of a series in one call',
      change: { recurrence: [] },
      sent: [patch({ recurrence: [] }, {})],
    },
    { title: 'contain only a read when nothing changes', change: { send_updates: true }, sent: [get] },
    {
      title: 'contain no If-Match for an event without etag',
      change: { attendees_emails: [] },
      event: { id: 'a' },
      sent: [get, patch({ attendees: [] }, {})],
    },
  ])('$title', async ({ change, event, sent }) => {
    const responses = event === undefined ? [{ id: 'changed' }] : [event, { id: 'changed' }];
    const result = await run(change, responses);
    expect(result.sent).toStrictEqual(sent);
    expect(result.outcome).toEqual({ id: 'changed' });
  });

  test('an update that only requests an existing meeting room returns the event unchanged', async () => {
    const event = { ...stored, conferenceData: { conferenceId: 'abc' } };
    expect(await run({ create_meeting_room: true }, [event])).toEqual({ sent: [get], outcome: event });
  });
});

describe('an event update', () => {
  const recurrence = ['RRULE:FREQ=DAILY'];

  test.each([
    {
      title: 'with a recurrence for the id of an occurrence',
      change: { event_id: 'a_20261201T090000Z', recurrence },
      responses: [],
      code: 'invalid_input',
    },
    {
      title: 'with a recurrence for the id of an all-day occurrence',
      change: { event_id: 'a_20261201', recurrence: [] },
      responses: [],
      code: 'invalid_input',
    },
    {
      title: 'with a recurrence for an event that is an occurrence',
      change: { recurrence },
      responses: [{ ...stored, recurringEventId: 's' }],
      code: 'invalid_input',
    },
    {
      title: 'with a recurrence for an event without a time zone',
      change: { recurrence },
      responses: [{ ...stored, start: { dateTime: '2026-12-01T09:00:00Z' } }],
      code: 'invalid_input',
    },
    {
      title: 'with a recurrence for an all-day event that gets a time without a time zone',
      change: { recurrence, start_datetime: '2026-12-01T09:00:00Z', event_duration_hour: 1 },
      responses: [{ id: 'a', start: { date: '2026-12-01' }, end: { date: '2026-12-02' } }],
      code: 'invalid_input',
    },
    {
      title: 'with guests when the calendar returns only some of them',
      change: { attendees_emails: ['ada@example.com'] },
      responses: [{ ...stored, attendeesOmitted: true }],
      code: 'conflict',
    },
    {
      title: 'with a zero length',
      change: { start_datetime: '2026-12-01T09:00:00Z', event_duration_minutes: 0 },
      responses: [],
      code: 'invalid_input',
    },
    {
      title: 'with a response that is not an event',
      change: { timezone: 'UTC' },
      responses: [null],
      code: 'upstream_failed',
    },
  ])('is refused before anything is written $title', async ({ change, responses, code }) => {
    const { sent, outcome } = await run(change, responses);
    expect(outcome).toMatchObject({ code });
    expect(sent).toHaveLength(responses.length);
    expect(sent.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('a lost update race', () => {
  const change = { attendees_emails: ['ada@example.com', 'mary@example.com'], create_meeting_room: true };
  const newer = {
    ...stored,
    etag: '"2"',
    attendees: [...stored.attendees, { email: 'mary@example.com', responseStatus: 'tentative' }],
  };

  test('reads the event again and applies the change to it', async () => {
    const { sent, outcome } = await run(change, [stored, lostRace, newer, { id: 'changed' }]);
    expect(outcome).toEqual({ id: 'changed' });
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);
    expect(sent[3]).toMatchObject({
      headers: { 'If-Match': '"2"' },
      body: {
        attendees: [
          { email: 'ada@example.com', responseStatus: 'accepted' },
          { email: 'mary@example.com', responseStatus: 'tentative' },
        ],
        conferenceData: room('id-2'),
      },
    });
  });

  test('returns the error after the second lost race', async () => {
    const { sent, outcome } = await run(change, [stored, lostRace, newer, lostRace]);
    expect(outcome).toBe(lostRace);
    expect(sent).toHaveLength(4);
  });

  test.each([
    {
      title: 'another upstream error',
      error: new ServiceError('upstream_failed', 'Forbidden', { status: 403 }),
    },
    { title: 'an internal error', error: new Error('412') },
  ])('is not assumed for $title', async ({ error }) => {
    const { sent, outcome } = await run(change, [stored, error]);
    expect(outcome).toBe(error);
    expect(sent).toHaveLength(2);
  });
});

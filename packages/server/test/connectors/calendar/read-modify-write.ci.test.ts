import { type Calendar, calendar, type Event } from '@svc/calendar';
import type { ConnectedAccount } from '@svc/core';
import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gate, startGate } from '../../support/processes/gate.js';
import { rejection } from '../../support/rejection.js';
import { listForSandbox } from '../../support/service/allowed-origins.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';

let gate: Gate;
let service: Service;
let account: ConnectedAccount;
let tools: Calendar;

beforeAll(async () => {
  const sandbox = await startSandbox({ connectors: ['calendar'] });
  gate = await startGate(sandbox.url);
  const flags = ['--allowed-origins', listForSandbox(sandbox, [gate.url])];
  service = await startService({ sandbox, flags });
  await service.app.connections.update(service.clientId, 'calendar', { baseUrl: `${gate.url}/calendar` });
  account = await connectAccount(service, 'calendar');
  tools = calendar(service.svc, account);
});

afterAll(async () => {
  await service.stop();
  await gate.stop();
});

const START = '2026-12-01T09:00:00Z';
const GRACE = { email: 'grace@example.com', displayName: 'Grace', comment: 'By train' };

interface Extra {
  readonly attendees_emails?: string[];
  readonly create_meeting_room?: boolean;
}

/** Creates a calendar event of half an hour, and returns its ID. */
async function newEvent(extra: Extra = {}): Promise<string> {
  const { data } = await tools.createEvent({ summary: 'Review', start_datetime: START, ...extra });
  await service.sandbox.clearRequests();
  return data.id;
}

type Change = Omit<Parameters<Calendar['updateEvent']>[0], 'calendar_id' | 'event_id'>;

const update = async (id: string, change: Change): Promise<Event> =>
  (await tools.updateEvent({ calendar_id: 'primary', event_id: id, ...change })).data;

const pathOf = (id: string) => `/calendar/v3/calendars/primary/events/${id}`;

/** Changes an event through the proxy, without a tool, as another program would do. */
const patch = (id: string, body: unknown) =>
  service.svc.request({ ...account, path: pathOf(id), method: 'PATCH', body });

const calls = async () => (await service.sandbox.requests()).map(({ method, status }) => [method, status]);

const times = ({ start, end }: Event) =>
  [start, end].map((time) => [new Date(`${time?.dateTime}`).toISOString(), time?.timeZone]);

test.each<{ title: string; change: Change; minutes: readonly [number, number] }>([
  { title: 'texts', change: { summary: 'Retrospective', location: 'Room 1' }, minutes: [0, 30] },
  { title: 'only a later start', change: { start_datetime: '2026-12-01T09:10:00Z' }, minutes: [10, 30] },
  { title: 'only a later end', change: { end_datetime: '2026-12-01T10:00:00Z' }, minutes: [0, 60] },
  {
    title: 'a start with a duration',
    change: { start_datetime: '2026-12-01T10:00:00Z', event_duration_minutes: 45 },
    minutes: [60, 105],
  },
])('writes without a read when the change needs no stored value: $title', async ({ change, minutes }) => {
  const id = await newEvent();

  const event = await update(id, change);

  expect(await calls()).toEqual([['PATCH', 200]]);
  const expected = minutes.map((minute) => new Date(Date.parse(START) + minute * 60_000).toISOString());
  expect(times(event).map(([time]) => time)).toEqual(expected);
});

test('a duration alone is added to the stored start', async () => {
  const id = await newEvent();

  const event = await update(id, { event_duration_hour: 2 });

  expect(await calls()).toEqual([
    ['GET', 200],
    ['PATCH', 200],
  ]);
  expect(times(event).map(([time]) => time)).toEqual([
    '2026-12-01T09:00:00.000Z',
    '2026-12-01T11:00:00.000Z',
  ]);
});

test('an event keeps its start and end when only the time zone changes', async () => {
  const id = await newEvent();

  const event = await update(id, { timezone: 'Asia/Tokyo' });

  expect(await calls()).toEqual([
    ['GET', 200],
    ['PATCH', 200],
  ]);
  expect(times(event)).toEqual([
    ['2026-12-01T09:00:00.000Z', 'Asia/Tokyo'],
    ['2026-12-01T09:30:00.000Z', 'Asia/Tokyo'],
  ]);
});

test('an event without a time zone becomes a series in the time zone of the calendar', async () => {
  const id = await newEvent();

  const event = await update(id, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] });
  const { data: list } = await tools.listEvents({ query: 'Review', single_events: true });

  expect(event.recurrence).toEqual(['RRULE:FREQ=DAILY;COUNT=3']);
  expect(times(event)).toEqual([
    ['2026-12-01T09:00:00.000Z', 'Europe/London'],
    ['2026-12-01T09:30:00.000Z', 'Europe/London'],
  ]);
  expect(list.items?.filter(({ recurringEventId }) => recurringEventId === id)).toHaveLength(3);
});

test('a start after the end returns the error of the upstream with advice', async () => {
  const id = await newEvent();

  const error = await rejection(update(id, { start_datetime: '2026-12-01T12:00:00Z' }));

  expect(error).toMatchObject({
    status: 400,
    body: { error: { errors: [{ reason: 'timeRangeEmpty' }] } },
    advice: expect.stringContaining('a start and a duration'),
  });
});

test('remaining attendees keep reply, name and comment, and others are removed', async () => {
  const id = await newEvent({ attendees_emails: [GRACE.email, 'charles@example.com'] });
  const replied = { ...GRACE, responseStatus: 'accepted' };
  await patch(id, { attendees: [replied, { email: 'charles@example.com' }] });

  const event = await update(id, { attendees_emails: ['Grace@Example.com', 'mary@example.com'] });

  expect(event.attendees).toEqual([replied, { email: 'mary@example.com', responseStatus: 'needsAction' }]);
});

test('a conflicting change is read again and not overwritten', async () => {
  const id = await newEvent({ attendees_emails: [GRACE.email] });
  const declined = { ...GRACE, responseStatus: 'declined' };

  const read = gate.pause(pathOf(id), 'response');
  const updating = update(id, { attendees_emails: [GRACE.email, 'mary@example.com'] });
  await read.paused;
  await patch(id, { location: 'Room 2', attendees: [declined] });
  read.release();
  const event = await updating;

  expect(event).toMatchObject({ location: 'Room 2', attendees: [declined, { email: 'mary@example.com' }] });
  expect(await calls()).toEqual([
    ['GET', 200],
    ['PATCH', 200],
    ['PATCH', 412],
    ['GET', 200],
    ['PATCH', 200],
  ]);
});

test('an update fails with advice after two concurrent changes', async () => {
  const id = await newEvent();
  const failNext = { count: 2, status: 412, match: { method: 'PATCH', path: pathOf(id) } };
  await service.sandbox.dials('calendar', { failNext });

  const error = await rejection(update(id, { attendees_emails: [GRACE.email] }));

  expect(error).toMatchObject({ status: 412, advice: expect.stringContaining('Read it again') });
  expect(await calls()).toEqual([
    ['GET', 200],
    ['PATCH', 412],
    ['GET', 200],
    ['PATCH', 412],
  ]);
});

test('an update requests no second meeting room', async () => {
  const id = await newEvent({ create_meeting_room: true });
  const { data: before } = await tools.getEventById({ event_id: id });
  await service.sandbox.clearRequests();

  const event = await update(id, { create_meeting_room: true });

  expect(event).toEqual(before);
  expect(await calls()).toEqual([['GET', 200]]);
});

test('an update changes one occurrence of a series, and an occurrence cannot recur', async () => {
  await tools.createEvent({
    summary: 'Stand-up of three',
    start_datetime: '2026-12-07T08:00:00',
    timezone: 'Europe/Berlin',
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  });
  const list = async () => {
    const { data } = await tools.listEvents({
      query: 'of three',
      single_events: true,
      order_by: 'startTime',
    });
    return data.items ?? [];
  };
  const second = `${(await list())[1]?.id}`;

  await update(second, { summary: 'Moved, of three', location: 'Room 3' });
  const after = await list();
  await service.sandbox.clearRequests();
  const error = await rejection(update(second, { recurrence: ['RRULE:FREQ=DAILY'] }));

  expect(after.map(({ location }) => location)).toEqual([undefined, 'Room 3', undefined]);
  expect(error).toMatchObject({ code: 'invalid_input', errors: [{ field: 'recurrence' }] });
  expect(await calls()).toEqual([]);
});

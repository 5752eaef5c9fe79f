import { readdirSync, readFileSync } from 'node:fs';
import { type Calendar, calendar } from '@svc/calendar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAccount, type Service, startService } from '../../support/service/service.js';
import { recordTools, type ToolRecord } from '../../support/tools/record-tools.js';

const FOLDER = new URL('../../../../../schemas/calendar/tools/', import.meta.url);
const SCHEMAS = readdirSync(FOLDER).flatMap(
  (file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')).versions,
);

let service: Service;
let record: ToolRecord;
let tools: Calendar;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  record = recordTools(service, 'calendar');
  tools = calendar(record, await connectAccount(service, 'calendar'));
});

afterAll(() => service.stop());

test('a created event is found by its id and in the list', async () => {
  const { data: created } = await tools.createEvent({
    summary: 'Launch review',
    start_datetime: '2026-12-01T09:00:00+01:00',
    event_duration_hour: 1,
    event_duration_minutes: 15,
    attendees_emails: ['grace@example.com'],
    transparency: 'free',
    create_meeting_room: true,
  });

  const { data: fetched } = await tools.getEventById({ event_id: created.id });
  const { data: list } = await tools.listEvents({ query: 'launch' });

  expect(Date.parse(`${fetched.end?.dateTime}`)).toBe(Date.parse('2026-12-01T10:15:00+01:00'));
  expect(fetched).toMatchObject({
    transparency: 'transparent',
    attendees: [{ email: 'grace@example.com', responseStatus: 'needsAction' }],
  });
  expect(list.items).toEqual([fetched]);
});

test('an event contains the meeting room once it is ready', async () => {
  const { data: created } = await tools.createEvent({
    summary: 'Call',
    start_datetime: '2026-12-02T09:00:00Z',
    create_meeting_room: true,
  });

  const { data: fetched } = await tools.getEventById({ event_id: created.id });

  expect(created.conferenceData?.createRequest?.status?.statusCode).toBe('pending');
  expect(created.hangoutLink).toBeUndefined();
  expect(fetched.conferenceData?.createRequest?.status?.statusCode).toBe('success');
  expect(fetched.hangoutLink).toMatch(/^https:/);
});

test('an update changes the given fields and keeps the others', async () => {
  const { data: created } = await tools.createEvent({
    summary: 'Workshop',
    location: 'Room 1',
    start_datetime: '2026-12-03T09:00:00Z',
  });

  const { data: updated } = await tools.updateEvent({
    calendar_id: 'primary',
    event_id: created.id,
    summary: 'Long workshop',
    start_datetime: '2026-12-03T13:00:00Z',
    event_duration_hour: 2,
  });
  const { data: fetched } = await tools.getEventById({ event_id: created.id });

  expect(fetched).toEqual(updated);
  expect(fetched).toMatchObject({ summary: 'Long workshop', location: 'Room 1' });
  expect(Date.parse(`${fetched.start?.dateTime}`)).toBe(Date.parse('2026-12-03T13:00:00Z'));
  expect(Date.parse(`${fetched.end?.dateTime}`)).toBe(Date.parse('2026-12-03T15:00:00Z'));
});

test('a deleted event is found only with show_deleted, and a second deletion succeeds', async () => {
  const { data: created } = await tools.createEvent({
    summary: 'Cancelled',
    start_datetime: '2026-12-04T09:00:00Z',
  });

  const { data: first } = await tools.deleteEvent({ event_id: created.id });
  const { data: second } = await tools.deleteEvent({ event_id: created.id });
  const { data: cancelled } = await tools.getEventById({ event_id: created.id, show_deleted: true });
  const { data: list } = await tools.listEvents({ query: 'Cancelled' });

  expect([first, second]).toEqual([
    { deleted: true, alreadyDeleted: false },
    { deleted: true, alreadyDeleted: true },
  ]);
  expect(cancelled.status).toBe('cancelled');
  expect(list.items).toEqual([]);
  await expect(tools.getEventById({ event_id: created.id })).rejects.toMatchObject({ code: 'not_found' });
});

test('a calendar id with special characters works', async () => {
  const { data: calendars } = await tools.listCalendars();
  const holidays = calendars.items?.find(({ id }) => id?.includes('#'));

  const { data: events } = await tools.listEvents({ calendar_id: `${holidays?.id}` });

  expect(events).toMatchObject({ summary: holidays?.summary, items: [{ summary: 'Christmas Day' }] });
});

test('an all-day event ends after its last date and appears in the free/busy times', async () => {
  const { data: created } = await tools.createAllDayEvent({
    summary: 'Vacation',
    start_date: '2027-05-08',
    last_date: '2027-05-09',
  });
  const { data: times } = await tools.queryFreeBusy({
    calendars: [{ id: 'primary' }, { id: 'nobody@example.com' }],
    time_min: '2027-05-07T20:00:00Z',
    time_max: '2027-05-10T04:00:00Z',
    timezone: 'Europe/London',
  });

  expect([created.start?.date, created.end?.date]).toEqual(['2027-05-08', '2027-05-10']);
  expect(times.calendars['primary']?.busy).toEqual([
    { start: '2027-05-08T00:00:00+01:00', end: '2027-05-10T00:00:00+01:00' },
  ]);
  expect(times.calendars['nobody@example.com']).toMatchObject({ errors: [{ reason: 'notFound' }] });
});

test('an all-day event with transparency "free" leaves the time free', async () => {
  const range = { time_min: '2027-06-05T00:00:00Z', time_max: '2027-06-07T00:00:00Z' };
  await tools.createAllDayEvent({ summary: 'Birthday', start_date: '2027-06-05', transparency: 'free' });

  const { data: times } = await tools.queryFreeBusy(range);

  expect(times.calendars).toEqual({ primary: { busy: [] } });
});

test('a response changes only the reply of the user', async () => {
  const reply = { event_id: 'seedplanning', response: 'tentative', comment: 'Perhaps late' } as const;

  const { data: event } = await tools.respondToEvent({ ...reply, send_updates: true });

  expect(event.attendees).toMatchObject([
    { email: 'charles@example.com', responseStatus: 'accepted' },
    { self: true, responseStatus: 'tentative', comment: 'Perhaps late' },
  ]);
  await expect(tools.respondToEvent({ event_id: 'seedlunch', response: 'accepted' })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('quickAddEvent creates an event from a sentence', async () => {
  const { data: event } = await tools.quickAddEvent({ text: 'Coffee with Ben', send_updates: false });

  expect(event).toMatchObject({ summary: 'Coffee with Ben', status: 'confirmed' });
});

test('the instances of a series are paged, and each can be changed by its id', async () => {
  const series = { event_id: 'seedstandup', max_results: 2, timezone: 'UTC' };
  const { data: page } = await tools.listInstances(series);
  const { data: next } = await tools.listInstances({ ...series, page_token: `${page.nextPageToken}` });
  const ids = [...(page.items ?? []), ...(next.items ?? [])].map(({ id }) => id);

  const changed = { calendar_id: 'primary', event_id: `${ids[0]}`, visibility: 'private' } as const;
  await tools.updateEvent(changed);
  const { data: whole } = await tools.getEventById({ event_id: 'seedstandup' });

  expect(new Set(ids).size).toBe(4);
  // The calendar applies a visibility change of one occurrence to the whole series.
  expect(whole.visibility).toBe('private');
});

test('a calendar contains its labels and working hours', async () => {
  const { data: own } = await tools.getCalendar();

  expect(own.labelProperties?.eventLabels).toMatchObject([{ name: 'Important project' }]);
  expect(own.workingHours?.availableTimes).toHaveLength(5);
});

test('the tests above call every tool of the catalogue', () => {
  process.stdout.write(`${record.coverage()}\n`);

  expect(record.called()).toEqual(record.names);
});

test('the responses above match the output schemas of the catalogue', () => {
  expect(record.surprises).toEqual([]);
});

test('every description of send_updates says that nobody gets an email when it is absent', () => {
  const inputs = SCHEMAS.flatMap(({ input }) => input.properties.send_updates ?? []);

  expect(inputs.map(({ description }) => description)).toEqual(
    Array(5).fill(
      'True: all guests get an email about the event. Default: false: nobody gets an email, and guests on other calendar systems may then never see the event.',
    ),
  );
});

test('a call without send_updates asks the calendar for no email', async () => {
  await service.sandbox.clearRequests();
  await tools.createEvent({ summary: 'Quiet', start_datetime: '2027-03-01T09:00:00Z' });
  await tools.createAllDayEvent({ summary: 'Quiet day', start_date: '2027-03-02' });
  await tools.quickAddEvent({ text: 'Quiet coffee' });

  const queries = (await service.sandbox.requests()).map(({ query }) => new URLSearchParams(query));
  expect(queries).toHaveLength(3);
  expect(queries.map((query) => query.get('sendUpdates') ?? 'none')).toEqual(['none', 'none', 'none']);
});

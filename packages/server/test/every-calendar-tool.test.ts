import { type Calendar, calendar } from '@svc/calendar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAccount, type Service, startService } from './service.js';
import { recordTools, type ToolRecord } from './support/record-tools.js';

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

test('an event shows the meeting room when it is ready', async () => {
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

test('changes what is given and leaves the rest', async () => {
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
  const { data: shown } = await tools.getEventById({ event_id: created.id, show_deleted: true });
  const { data: list } = await tools.listEvents({ query: 'Cancelled' });

  expect([first, second]).toEqual([
    { deleted: true, alreadyDeleted: false },
    { deleted: true, alreadyDeleted: true },
  ]);
  expect(shown.status).toBe('cancelled');
  expect(list.items).toEqual([]);
  await expect(tools.getEventById({ event_id: created.id })).rejects.toMatchObject({ code: 'not_found' });
});

test('uses a calendar from the list, whatever characters its id has', async () => {
  const { data: calendars } = await tools.listCalendars();
  const holidays = calendars.items?.find(({ id }) => id?.includes('#'));

  const { data: events } = await tools.listEvents({ calendar_id: `${holidays?.id}` });

  expect(events).toMatchObject({ summary: holidays?.summary, items: [{ summary: 'Christmas Day' }] });
});

test('the tests above call every tool of the catalogue', () => {
  process.stdout.write(`${record.coverage()}\n`);

  expect(record.answered()).toEqual(record.names);
});

test('the responses above match the output schemas of the catalogue', () => {
  expect(record.surprises).toEqual([]);
});

import { type Calendar, calendar } from '@svc/calendar';
import type { Client, ConnectedAccount } from '@svc/core';
import type { Sandbox } from '@svc/sandbox';
import { IDENTIFIER } from './connect.ts';
import { check, say } from './transcript.ts';

const START = '2026-12-01T09:00:00Z';
const MOVED = '2026-12-01T14:00:00Z';

const WINDOW = { time_min: '2026-12-01T00:00:00Z', time_max: '2026-12-04T00:00:00Z' };

async function repeatEvent(tools: Calendar): Promise<void> {
  const { data: series } = await tools.createEvent({
    summary: 'Daily stand-up',
    start_datetime: '2026-12-01T08:00:00',
    timezone: 'Europe/Berlin',
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  });
  say('tool   createEvent that recurs', series.recurrence);

  const day: string[] = [];
  for await (const each of tools.listEvents.each({
    ...WINDOW,
    single_events: true,
    order_by: 'startTime',
    max_results: 2,
  })) {
    day.push(`${each.start?.dateTime} ${each.summary}`);
  }
  say('tool   listEvents.each, two a page', day);
  check(
    'the moved event and three stand-ups are listed',
    day.filter((line) => /Launch|stand-up/.test(line)).length === 4,
  );
}

/**
 * Demo of the Calendar connector: requests through the proxy and tool calls, with an access token that expires in
 * between.
 */
export async function demoCalendar(svc: Client, account: ConnectedAccount, sandbox: Sandbox): Promise<void> {
  const list = await svc.request<{ items: { id: string }[] }>({
    connectionName: 'calendar',
    identifier: IDENTIFIER,
    path: '/calendar/v3/users/me/calendarList',
    method: 'GET',
  });
  say('proxy  GET /calendar/v3/users/me/calendarList', {
    status: list.status,
    items: list.data.items.length,
  });

  const tools = calendar(svc, account);
  const names: string[] = [];
  for await (const entry of tools.listCalendars.each({ max_results: 1 })) names.push(entry.summary ?? '');
  say('tool   listCalendars.each, one a page', names);

  const { data: event } = await tools.createEvent({
    summary: 'Launch review',
    start_datetime: START,
    event_duration_minutes: 45,
    attendees_emails: ['grace@example.com'],
    create_meeting_room: true,
  });
  say('tool   createEvent with a meeting room', {
    id: event.id,
    room: event.conferenceData?.createRequest?.status?.statusCode,
  });

  const { data: ready } = await tools.getEventById({ event_id: event.id });
  say('tool   getEventById', {
    room: ready.conferenceData?.createRequest?.status?.statusCode,
    link: ready.hangoutLink,
  });

  await sandbox.clearRequests();
  await sandbox.expireTokens('calendar');
  say('all access tokens of the calendar expire');
  const { data: moved } = await tools.updateEvent({
    calendar_id: 'primary',
    event_id: event.id,
    start_datetime: MOVED,
    event_duration_minutes: 30,
  });
  say('tool   updateEvent', { start: moved.start?.dateTime, end: moved.end?.dateTime });
  const refreshes = (await sandbox.requests('calendar')).filter(({ path }) => path.endsWith('/token'));
  check('the service refreshed the token once, without the application', refreshes.length === 1);

  await repeatEvent(tools);
  await tools.deleteEvent({ event_id: event.id });
  await tools.deleteEvent({ event_id: event.id });
  say('tool   deleteEvent, twice', 'deleted, and still deleted');
  const { data: rest } = await tools.listEvents({ ...WINDOW, query: 'Launch review' });
  check('no list contains the event any longer', rest.items?.length === 0);
}

import { describe, expect, test, vi } from 'vitest';
import { noMcp } from '../../upstream-access.js';
import { calendar } from './calendar.js';

const context = {
  now: () => new Date('2026-11-20T12:00:00Z'),
  randomId: () => 'id-1',
  sleep: async () => undefined,
  mcp: noMcp,
  download: () => expect.unreachable('The tool downloads nothing.'),
  exchange: () => expect.unreachable('The tool reads no headers.'),
  readLink: () => expect.unreachable('The tool opens no link.'),
  takeMemory: () => undefined,
};
const EVENT = { calendar_id: 'primary', event_id: 'a' };
describe('calendar_create_event', () => {
  test.each([
    { calendar_id: 'primary', path: '/calendar/v3/calendars/primary/events' },
    { calendar_id: 'ada@example.com', path: '/calendar/v3/calendars/ada%40example.com/events' },
    { calendar_id: 'en#holiday@group.v', path: '/calendar/v3/calendars/en%23holiday%40group.v/events' },
    { calendar_id: 'a..b', path: '/calendar/v3/calendars/a..b/events' },
  ])('sends an event on $calendar_id to $path', async ({ calendar_id, path }) => {
    const send = vi.fn(async () => ({ id: 'a' }));
    const input = { calendar_id, summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' };
    await calendar.calendar_create_event(input, send, context);
    expect(send).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ method: 'POST', path }));
  });

  test('sends nothing when the start has no time zone', async () => {
    const send = vi.fn();
    const input = { calendar_id: 'primary', summary: 'Review', start_datetime: '2026-12-01T09:00:00' };
    await expect(calendar.calendar_create_event(input, send, context)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ field: 'timezone', rule: 'required' }] },
    });
    expect(send).not.toHaveBeenCalled();
  });
});

describe('calendar_create_all_day_event', () => {
  test.each([
    { title: 'a single day without last_date', end: '2026-12-25' },
    { title: 'a single day', days: { last_date: '2026-12-24' }, end: '2026-12-25' },
    { title: 'days across the end of a year', days: { last_date: '2026-12-31' }, end: '2027-01-01' },
    {
      title: 'days across the end of February in a leap year',
      days: { last_date: '2028-02-28' },
      end: '2028-02-29',
    },
  ])('ends $title on the following day', async ({ days, end }) => {
    const send = vi.fn(async () => ({ id: 'a' }));
    const input = { calendar_id: 'primary', summary: 'Away', start_date: '2026-12-24', ...days };
    await calendar.calendar_create_all_day_event(input, send, context);
    expect(send).toHaveBeenCalledExactlyOnceWith({
      method: 'POST',
      path: '/calendar/v3/calendars/primary/events',
      body: { summary: 'Away', start: { date: '2026-12-24' }, end: { date: end } },
    });
  });

  test('sends guests, notifications and free time', async () => {
    const send = vi.fn(async () => ({ id: 'a' }));
    const input = {
      calendar_id: 'primary',
      summary: 'Away',
      start_date: '2026-12-24',
      attendees_emails: ['grace@example.com', 'GRACE@example.com'],
      transparency: 'free' as const,
      send_updates: true,
    };
    await calendar.calendar_create_all_day_event(input, send, context);
    expect(send).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        query: { sendUpdates: 'all' },
        body: expect.objectContaining({
          transparency: 'transparent',
          attendees: [{ email: 'grace@example.com' }],
        }),
      }),
    );
  });

  test.each([
    { last_date: '2026-12-23', rule: 'before' },
    { last_date: '9999-12-31', rule: 'maximum' },
  ])('sends nothing for the last date $last_date', async ({ last_date, rule }) => {
    const send = vi.fn();
    const input = { calendar_id: 'primary', summary: 'Away', start_date: '2026-12-24', last_date };
    await expect(calendar.calendar_create_all_day_event(input, send, context)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ field: 'last_date', rule }] },
    });
    expect(send).not.toHaveBeenCalled();
  });
});

describe('calendar_get_event_by_id', () => {
  test('returns every field of the calendar', async () => {
    const event = { id: 'a', status: 'confirmed', someNewField: [1] };
    const result = await calendar.calendar_get_event_by_id(EVENT, async () => event, context);
    expect(result).toEqual(event);
  });

  test('names the condition that an existing event does not meet', async () => {
    const deleted = async () => ({ id: 'a', status: 'cancelled' });
    await expect(calendar.calendar_get_event_by_id(EVENT, deleted, context)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('show_deleted'),
    });
  });
});

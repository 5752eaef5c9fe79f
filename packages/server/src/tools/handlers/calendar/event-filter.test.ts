import { expect, test } from 'vitest';
import { ServiceError } from '../../../errors.js';
import { type EventFilter, refuseExcluded } from './event-filter.js';
import { readEvent } from './stored-event.js';

const review = {
  id: 'a',
  status: 'confirmed',
  updated: '2026-11-20T12:00:00.000Z',
  summary: 'Design review',
  description: 'Bring the drawings',
  location: 'Room 4',
  organizer: { email: 'ada@example.com', displayName: 'Ada' },
  attendees: [{ email: 'grace@example.com', displayName: 'Grace Hopper' }],
  start: { dateTime: '2026-12-01T09:00:00+01:00' },
  end: { dateTime: '2026-12-01T09:30:00+01:00' },
  eventType: 'default',
};
const day = { id: 'b', start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };
const dayInTokyo = {
  id: 'c',
  start: { date: '2026-12-01', timeZone: 'Asia/Tokyo' },
  end: { date: '2026-12-02', timeZone: 'Asia/Tokyo' },
};
const series = { ...review, recurrence: ['RRULE:FREQ=WEEKLY'] };
const deleted = { id: 'd', status: 'cancelled' };

/** Returns the filter condition that the event fails, or undefined if the event passes. */
function excludedBy(event: object, filter: EventFilter): unknown {
  try {
    refuseExcluded(readEvent(event), filter);
    return undefined;
  } catch (error) {
    return error instanceof ServiceError && error.code === 'not_found' ? error.details?.['filter'] : error;
  }
}

interface Row {
  readonly title: string;
  readonly event: object;
  readonly filter: EventFilter;
}

test.each<Row>([
  { title: 'without conditions', event: review, filter: {} },
  { title: 'of a listed type', event: review, filter: { event_types: ['focusTime', 'default'] } },
  { title: 'without a type, as default', event: day, filter: { event_types: ['default'] } },
  { title: 'deleted, with show_deleted', event: deleted, filter: { show_deleted: true } },
  { title: 'changed at the bound', event: review, filter: { updated_min: '2026-11-20T13:00:00+01:00' } },
  { title: 'ending after time_min', event: review, filter: { time_min: '2026-12-01T08:29:59Z' } },
  { title: 'beginning before time_max', event: review, filter: { time_max: '2026-12-01T08:00:01Z' } },
  { title: 'lasting all day in UTC', event: day, filter: { time_min: '2026-12-01T23:59:59Z' } },
  {
    title: 'lasting all day in its time zone',
    event: dayInTokyo,
    filter: { time_max: '2026-11-30T15:00:01Z', time_min: '2026-12-01T14:59:59Z' },
  },
  { title: 'of an open-ended series', event: series, filter: { time_min: '2030-01-01T00:00:00Z' } },
  { title: 'with the text in its title', event: review, filter: { query: 'REVIEW' } },
  { title: 'with the text in its description', event: review, filter: { query: 'drawings' } },
  { title: 'with the text in its location', event: review, filter: { query: 'room 4' } },
  { title: 'with the text in its organizer', event: review, filter: { query: 'ada@' } },
  { title: 'with the text in a guest', event: review, filter: { query: 'hopper' } },
  { title: 'for an empty query', event: day, filter: { query: '' } },
])('an event matches the filter: $title', ({ event, filter }) => {
  expect(excludedBy(event, filter)).toBeUndefined();
});

test.each<Row & { readonly by: string }>([
  { title: 'deleted', event: deleted, filter: {}, by: 'show_deleted' },
  {
    title: 'deleted, without show_deleted',
    event: deleted,
    filter: { show_deleted: false },
    by: 'show_deleted',
  },
  { title: 'of another type', event: review, filter: { event_types: ['birthday'] }, by: 'event_types' },
  {
    title: 'changed too early',
    event: review,
    filter: { updated_min: '2026-11-20T12:00:01Z' },
    by: 'updated_min',
  },
  {
    title: 'ending at time_min',
    event: review,
    filter: { time_min: '2026-12-01T08:30:00Z' },
    by: 'time_min',
  },
  {
    title: 'beginning at time_max',
    event: review,
    filter: { time_max: '2026-12-01T08:00:00Z' },
    by: 'time_max',
  },
  {
    title: 'of a series that begins later',
    event: series,
    filter: { time_max: '2026-12-01T08:00:00Z' },
    by: 'time_max',
  },
  {
    title: 'whose days are before time_min',
    event: dayInTokyo,
    filter: { time_min: '2026-12-01T15:00:00Z' },
    by: 'time_min',
  },
  { title: 'without the query text', event: review, filter: { query: 'budget' }, by: 'query' },
])('an event does not match the filter, and the condition is named: $title', ({ event, filter, by }) => {
  expect(excludedBy(event, filter)).toBe(by);
});

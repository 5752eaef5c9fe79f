import { DAY, formatDate } from '../../zoned-time.js';
import type { Fields } from './state.js';

type Events = Readonly<Record<string, Fields>>;

export function ownEvents(now: number, zone: string): Events {
  const monday = startOfWeek(now);
  return {
    seedlunch: {
      summary: 'Lunch with Charles',
      location: 'The Engine',
      ...between(monday + DAY, ['12:30', '13:30'], zone),
    },
    seedstandup: {
      summary: 'Stand-up',
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR'],
      ...between(monday, ['09:30', '09:45'], zone),
    },
    seedplanning: {
      summary: 'Planning with Charles',
      ...between(monday + 3 * DAY, ['15:00', '16:00'], zone),
    },
    seedconference: { summary: 'Conference', ...days(monday + 9 * DAY, 2) },
  };
}

export function teamEvents(now: number, zone: string): Events {
  return {
    seedteam: { summary: 'Review', ...between(startOfWeek(now) + 4 * DAY, ['14:00', '15:00'], zone) },
  };
}

export function publicHolidays(): Events {
  const christmas = days(Date.UTC(2026, 11, 25), 1);
  return {
    seedchristmas: {
      summary: 'Christmas Day',
      recurrence: ['RRULE:FREQ=YEARLY'],
      transparency: 'transparent',
      ...christmas,
    },
  };
}

function startOfWeek(now: number): number {
  const day = Math.floor(now / DAY) * DAY;
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY;
}

function between(day: number, [from, to]: readonly [string, string], timeZone: string): Fields {
  const at = (time: string) => ({ dateTime: `${formatDate(day)}T${time}:00`, timeZone });
  return { start: at(from), end: at(to) };
}

function days(first: number, count: number): Fields {
  return { start: { date: formatDate(first) }, end: { date: formatDate(first + count * DAY) } };
}

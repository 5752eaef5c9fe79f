import type { Clock } from '../../clock.js';
import { uuidFrom } from '../../identifiers.js';
import type { Person } from '../../person.js';
import { type CalendarRecord, type CalendarState, createState, type Fields } from './state.js';
import { newEvent } from './write-event.js';
import { DAY, formatDate } from './zoned-time.js';

const ZONES: Readonly<Record<string, string>> = { ada: 'Europe/London', grace: 'America/New_York' };

/** One's own calendar, the team's, public holidays and a hidden archive, with events around today. */
export function seededState(person: Person, clock: Clock): CalendarState {
  const state = createState(person, clock);
  const timeZone = ZONES[person.id] ?? 'UTC';
  const primary = addCalendar(state, {
    id: person.email,
    summary: person.email,
    timeZone,
    isPrimary: true,
    color: { id: '14', background: '#9fe1e7' },
  });
  const hex = uuidFrom(`team calendar of ${person.id}`).replaceAll('-', '');
  const team = addCalendar(state, {
    id: `c_${hex}@group.calendar.google.com`,
    summary: 'Team',
    description: 'What the team does together',
    timeZone,
    color: { id: '17', background: '#9a9cff' },
  });
  const holidays = addCalendar(state, {
    id: 'en.uk#holiday@group.v.calendar.google.com',
    summary: 'Holidays in the United Kingdom',
    timeZone,
    accessRole: 'reader',
    color: { id: '8', background: '#16a765' },
  });
  addCalendar(state, {
    id: `archive_${person.id}@group.calendar.google.com`,
    summary: 'Archive',
    timeZone,
    isHidden: true,
    color: { id: '19', background: '#c2c2c2' },
  });

  const monday = startOfWeek(clock.now());
  addEvent(state, primary, {
    id: 'seedlunch',
    body: timed('Lunch with Charles', {
      day: monday + DAY,
      from: '12:30',
      to: '13:30',
      timeZone,
      location: 'The Engine',
    }),
  });
  addEvent(state, primary, {
    id: 'seedstandup',
    body: {
      ...timed('Stand-up', { day: monday, from: '09:30', to: '09:45', timeZone }),
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    },
  });
  addEvent(state, primary, {
    id: 'seedconference',
    body: {
      summary: 'Conference',
      start: { date: formatDate(monday + 9 * DAY) },
      end: { date: formatDate(monday + 11 * DAY) },
    },
  });
  addInvitation(
    state,
    primary,
    timed('Planning with Charles', { day: monday + 3 * DAY, from: '15:00', to: '16:00', timeZone }),
  );
  addEvent(state, team, {
    id: 'seedteam',
    body: timed('Review', { day: monday + 4 * DAY, from: '14:00', to: '15:00', timeZone }),
  });
  addEvent(state, holidays, {
    id: 'seedchristmas',
    body: {
      summary: 'Christmas Day',
      start: { date: '2026-12-25' },
      end: { date: '2026-12-26' },
      recurrence: ['RRULE:FREQ=YEARLY'],
      transparency: 'transparent',
    },
  });
  return state;
}

type NewCalendar = Pick<CalendarRecord, 'id' | 'summary' | 'timeZone' | 'color'> & Partial<CalendarRecord>;

function addCalendar(state: CalendarState, calendar: NewCalendar): CalendarRecord {
  const record: CalendarRecord = {
    accessRole: 'owner',
    isPrimary: false,
    isHidden: false,
    events: new Map(),
    updated: state.now(),
    ...calendar,
  };
  state.calendars.set(record.id, record);
  return record;
}

function startOfWeek(now: number): number {
  const day = Math.floor(now / DAY) * DAY;
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY;
}

interface Timing {
  readonly day: number;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly location?: string;
}

function timed(summary: string, { day, from, to, timeZone, location }: Timing): Fields {
  const at = (time: string) => ({ dateTime: `${formatDate(day)}T${time}:00`, timeZone });
  return { summary, start: at(from), end: at(to), ...(location === undefined ? {} : { location }) };
}

function addEvent(state: CalendarState, calendar: CalendarRecord, event: { id: string; body: Fields }): void {
  calendar.events.set(event.id, newEvent(state, calendar, event));
}

/** An event of somebody else, to which the person is invited. */
function addInvitation(state: CalendarState, calendar: CalendarRecord, body: Fields): void {
  const host = { email: 'charles@example.com', displayName: 'Charles Babbage' };
  const attendees = [{ ...host, responseStatus: 'accepted' }, { email: state.person.email }];
  const event = newEvent(state, calendar, { id: 'seedplanning', body: { ...body, attendees } });
  calendar.events.set(event.id, { ...event, creator: host, organizer: host });
}

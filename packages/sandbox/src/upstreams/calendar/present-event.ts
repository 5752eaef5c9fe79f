import { presentAttendees } from './attendees.js';
import { presentConference } from './conference.js';
import { presentTime } from './event-times.js';
import { type CalendarRecord, type EventRecord, etagOf, type Fields, iCalUIDOf } from './state.js';

interface EventView {
  readonly calendar: CalendarRecord;
  readonly email: string;
  readonly timeZone?: string | undefined;
  readonly maxAttendees?: number;
}

const DEFAULTS: Readonly<Fields> = {
  visibility: 'default',
  transparency: 'opaque',
  guestsCanInviteOthers: true,
  guestsCanModify: false,
  guestsCanSeeOtherGuests: true,
  anyoneCanAddSelf: false,
  endTimeUnspecified: false,
};

export function presentEvent(
  event: EventRecord,
  { calendar, email, timeZone, maxAttendees }: EventView,
): Fields {
  const { id, fields, recurringEventId, originalStart } = event;
  const {
    attendees: _attendees,
    conferenceData: _conference,
    eventType = 'default',
    reminders = { useDefault: true },
    ...own
  } = fields;
  const nonDefaults = Object.entries(own).filter(([name, value]) => value !== DEFAULTS[name]);
  const inZone = (time: EventRecord['start']) => presentTime(time, calendar.timeZone, timeZone);
  return {
    kind: 'calendar#event',
    etag: etagOf(event.updated, event.change),
    id,
    status: event.status,
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${id} ${calendar.id}`).toString('base64url')}`,
    created: new Date(event.created).toISOString(),
    updated: new Date(event.updated).toISOString(),
    ...Object.fromEntries(nonDefaults),
    creator: marked(event.creator, email),
    organizer: marked(event.organizer, email, calendar.id),
    start: inZone(event.start),
    end: inZone(event.end),
    ...(recurringEventId === undefined || originalStart === undefined
      ? {}
      : { recurringEventId, originalStartTime: inZone(originalStart) }),
    iCalUID: iCalUIDOf(event),
    sequence: event.sequence,
    ...presentAttendees(event, email, maxAttendees ?? Number.POSITIVE_INFINITY),
    ...presentConference(event),
    reminders,
    eventType,
  };
}

function marked(person: Fields, ...own: readonly string[]): Fields {
  return own.some((address) => address === person.email) ? { ...person, self: true } : person;
}

export function presentCancelledInstance(event: EventRecord, calendar: CalendarRecord): Fields {
  const { id, recurringEventId, originalStart } = event;
  return {
    kind: 'calendar#event',
    etag: etagOf(event.updated, event.change),
    id,
    status: 'cancelled',
    ...(originalStart === undefined
      ? {}
      : { recurringEventId, originalStartTime: presentTime(originalStart, calendar.timeZone) }),
  };
}

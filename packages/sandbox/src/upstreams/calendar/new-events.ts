import { randomBytes } from 'node:crypto';
import { deleted } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { formatDateTime } from '../../zoned-time.js';
import { forbiddenForNonOrganizer, invalid, required } from './api-error.js';
import { type Call, findCalendar, IMPORTING, NOTIFYING, serviceMethods, writable } from './call.js';
import { readLabel } from './event-label.js';
import { presentEvent } from './present-event.js';
import { WRITING } from './scopes.js';
import { findEvent } from './series.js';
import { type CalendarRecord, type EventRecord, etagOf, touch } from './state.js';
import { eventByUid, isOrganizer, newEvent } from './write-event.js';

const ALL = '/calendars/:calendarId/events';

export const newEventMethods = serviceMethods('Events', WRITING, {
  Import: { path: `${ALL}/import`, parameters: IMPORTING, handle: importEvent },
  QuickAdd: {
    path: `${ALL}/quickAdd`,
    parameters: { ...NOTIFYING, text: 'text' },
    needs: ['text'],
    handle: quickAdd,
  },
  Move: {
    path: `${ALL}/:eventId/move`,
    parameters: { ...NOTIFYING, destination: 'text' },
    needs: ['destination'],
    handle: moveEvent,
  },
});

const newId = (): string => randomBytes(13).toString('hex');

function respond({ state }: Call, calendar: CalendarRecord, event: EventRecord): Outcome {
  const body = presentEvent(event, { calendar, email: state.person.email });
  return { body, etag: etagOf(event.updated, event.change) };
}

function importEvent(call: Call): Outcome {
  const { state, body } = call;
  const calendar = call.writableCalendar();
  const { iCalUID, organizer, ...rest } = body;
  if (typeof iCalUID !== 'string') throw required('Missing iCalUID.');
  const known = eventByUid(calendar, iCalUID);
  const event = newEvent(state, calendar, {
    body: { ...rest, ...readLabel(call, calendar) },
    id: known?.id ?? newId(),
  });
  event.fields = { ...event.fields, iCalUID };
  calendar.events.set(event.id, event);
  return respond(call, calendar, event);
}

const HOUR_MS = 3_600_000;

/**
 * Creates an event from a text. The real service parses times from the text; the emulation starts the event at the next
 * full hour.
 */
function quickAdd(call: Call): Outcome {
  const { state, parameters } = call;
  const summary = parameters.text('text');
  const calendar = call.writableCalendar();
  const from = Math.ceil(state.now() / HOUR_MS) * HOUR_MS;
  const at = (moment: number) => ({
    dateTime: formatDateTime(moment, calendar.timeZone),
    timeZone: calendar.timeZone,
  });
  const body = { summary, start: at(from), end: at(from + HOUR_MS) };
  const event = newEvent(state, calendar, { body, id: newId() });
  calendar.events.set(event.id, event);
  return respond(call, calendar, event);
}

function moveEvent(call: Call): Outcome {
  const { state, parameters } = call;
  const from = call.writableCalendar();
  const to = writable(findCalendar(state, parameters.text('destination') ?? ''));
  const event = findEvent(from, call.part('eventId'));
  if (event.status === 'cancelled') throw deleted();
  if (!isOrganizer(call, event)) throw forbiddenForNonOrganizer();
  if (event.recurringEventId !== undefined) throw invalid('An instance of a series cannot be moved.');
  if ((event.fields.eventType ?? 'default') !== 'default') throw invalid('Only default events can be moved.');
  const { email, name } = state.person;
  const organizer = to.isPrimary ? { email, displayName: name } : { email: to.id, displayName: to.summary };
  // Moving a series moves its exceptions too. The old calendar keeps cancelled copies, so that a sync there reports the
  // removal.
  const family = [...from.events.values()].filter(
    ({ id, recurringEventId }) => id === event.id || recurringEventId === event.id,
  );
  for (const one of family) {
    const left: EventRecord = { ...one, status: 'cancelled' };
    from.events.set(one.id, left);
    touch(state, from, left);
    const moved: EventRecord = { ...one, organizer };
    to.events.set(one.id, moved);
    touch(state, to, moved);
  }
  return respond(call, to, findEvent(to, event.id));
}

import { randomBytes } from 'node:crypto';
import { deleted } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { isObject } from '../../json.js';
import { duplicate, forbiddenForNonOrganizer, invalid } from './api-error.js';
import { ownResponse } from './attendees.js';
import type { Call } from './call.js';
import { applyConference, type ConferenceChange, readConferenceChange } from './conference.js';
import { readEventBody } from './event-body.js';
import { readLabel } from './event-label.js';
import { presentEvent } from './present-event.js';
import { cancelEvent, checkMatch, findEvent, storedEvent } from './series.js';
import {
  type CalendarRecord,
  type CalendarState,
  type EventRecord,
  etagOf,
  type Fields,
  iCalUIDOf,
  touch,
} from './state.js';

const BASE32 = '0123456789abcdefghijklmnopqrstuv';

export function insertEvent(call: Call): Outcome {
  const { state, body } = call;
  const calendar = call.writableCalendar();
  const conference = readConference(call);
  const { conferenceData: _ignored, id, ...rest } = body;
  const event = newEvent(state, calendar, {
    body: { ...rest, ...readLabel(call, calendar) },
    id: readId(id ?? undefined),
  });
  if (calendar.events.has(event.id) || eventByUid(calendar, rest.iCalUID)) throw duplicate();
  applyConference(event, conference);
  calendar.events.set(event.id, event);
  return respond(call, calendar, event);
}

export function eventByUid({ events }: CalendarRecord, iCalUID: unknown): EventRecord | undefined {
  return [...events.values()].find((event) => iCalUIDOf(event) === iCalUID);
}

/** Builds a new event. Null values in the body count as absent. */
export function newEvent(
  state: CalendarState,
  calendar: CalendarRecord,
  { body, id }: { body: Fields; id: string },
): EventRecord {
  const { fields, start, end } = readEventBody(merge({}, body), calendar);
  const { status = 'confirmed', ...own } = fields;
  const { email, name } = state.person;
  const organizer = calendar.isPrimary
    ? { email, displayName: name }
    : { email: calendar.id, displayName: calendar.summary };
  const now = state.now();
  const event: EventRecord = {
    id,
    fields: own,
    start,
    end,
    status: statusOf(status),
    sequence: 0,
    created: now,
    updated: now,
    change: 0,
    creator: { email },
    organizer,
    conferencePending: false,
  };
  touch(state, calendar, event);
  return event;
}

function readId(id: unknown): string {
  if (id === undefined) return [...randomBytes(26)].map((byte) => BASE32[byte % 32]).join('');
  if (typeof id !== 'string' || !/^[a-v0-9]{5,1024}$/.test(id)) throw invalid('Invalid resource id value.');
  return id;
}

function statusOf(value: unknown): EventRecord['status'] {
  return value === 'tentative' || value === 'cancelled' ? value : 'confirmed';
}

export function changeEvent(call: Call, { merges }: { merges: boolean }): Outcome {
  const calendar = call.writableCalendar();
  const current = findEvent(calendar, call.part('eventId'));
  checkMatch(call, current);
  if (current.status === 'cancelled' && call.body.status !== 'confirmed') throw deleted();
  checkOrganizer(call, current);
  if (current.recurringEventId !== undefined && (call.body.recurrence ?? undefined) !== undefined)
    throw invalid('Cannot set a recurrence on an instance of a recurring event.');
  const conference = readConference(call);
  const { conferenceData: _ignored, iCalUID: _given, ...given } = call.body;
  const label = readLabel(call, calendar, current);
  const patch = ownResponse({ ...given, ...label }, current.fields, call.state.person.email);
  const before = { ...current.fields, start: current.start, end: current.end, status: current.status };
  const { conferenceData, iCalUID } = current.fields;
  const body = merges ? merge(before, patch) : { ...merge({}, patch), conferenceData, iCalUID };
  const { fields, start, end } = readEventBody(body, calendar);
  if ((fields.eventType ?? 'default') !== (current.fields.eventType ?? 'default'))
    throw invalid('The event type cannot be changed.');

  const event = storedEvent(calendar, current);
  const { status, ...own } = fields;
  if (isReplanned(event, { fields: own, start, end })) event.sequence += 1;
  Object.assign(event, { fields: own, start, end });
  applyConference(event, conference);
  touch(call.state, calendar, event);
  if (patch.visibility !== undefined) spreadVisibility(call.state, calendar, event);
  if (statusOf(status) === 'cancelled')
    cancelEvent(calendar, event, (one) => touch(call.state, calendar, one));
  else event.status = statusOf(status);
  return respond(call, calendar, event);
}

/** Copies the visibility of one instance to its whole series. */
function spreadVisibility(
  state: CalendarState,
  calendar: CalendarRecord,
  { recurringEventId, fields: { visibility } }: EventRecord,
): void {
  if (recurringEventId === undefined) return;
  for (const one of calendar.events.values()) {
    if (one.id !== recurringEventId && one.recurringEventId !== recurringEventId) continue;
    if (one.fields.visibility === visibility) continue;
    one.fields = { ...one.fields, visibility };
    touch(state, calendar, one);
  }
}

function isReplanned(event: EventRecord, next: Pick<EventRecord, 'fields' | 'start' | 'end'>): boolean {
  const plan = ({ fields, start, end }: Pick<EventRecord, 'fields' | 'start' | 'end'>) =>
    JSON.stringify([start, end, fields.recurrence]);
  return plan(event) !== plan(next);
}

const SHARED =
  'summary description location start end recurrence conferenceData attachments guestsCanModify guestsCanInviteOthers guestsCanSeeOtherGuests'.split(
    ' ',
  );

export const isOrganizer = ({ state }: Call, { organizer }: EventRecord): boolean =>
  organizer.email === state.person.email || state.calendars.has(String(organizer.email));

function checkOrganizer(call: Call, event: EventRecord): void {
  const { body } = call;
  if (isOrganizer(call, event) || event.fields.guestsCanModify === true) return;
  if (SHARED.some((name) => body[name] !== undefined)) throw forbiddenForNonOrganizer();
}

export function deleteEvent(call: Call): Outcome {
  const calendar = call.writableCalendar();
  const event = findEvent(calendar, call.part('eventId'));
  if (event.status === 'cancelled') throw deleted();
  checkMatch(call, event);
  cancelEvent(calendar, storedEvent(calendar, event), (one) => touch(call.state, calendar, one));
  return { status: 204 };
}

function readConference({ parameters, body }: Call): ConferenceChange {
  return readConferenceChange(body, parameters.integer('conferenceDataVersion', 0));
}

function respond({ state }: Call, calendar: CalendarRecord, event: EventRecord): Outcome {
  const body = presentEvent(event, { calendar, email: state.person.email });
  // The conference is ready in the next response.
  event.conferencePending = false;
  return { body, etag: etagOf(event.updated, event.change) };
}

/** Merges a patch. Null removes a field, objects are merged recursively, and arrays are replaced. */
function merge(stored: Readonly<Fields>, patch: Readonly<Fields>): Fields {
  const merged: Fields = { ...stored };
  for (const [key, value] of Object.entries(patch)) {
    const before = stored[key];
    if (value === null) delete merged[key];
    else if (isObject(value)) merged[key] = merge(isObject(before) ? before : {}, value);
    else merged[key] = value;
  }
  return merged;
}

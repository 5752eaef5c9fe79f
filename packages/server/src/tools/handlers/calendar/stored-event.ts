import { isJsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Json } from '../json.js';

/** `start` or `end` of an event: either a date (all-day event), or a date and time. */
export interface EventTime {
  readonly date?: string;
  readonly dateTime?: string;
  readonly timeZone?: string;
}

export interface Attendee {
  readonly email?: string;
  /** Attendee as the calendar API returned it, including the reply to the invitation. */
  readonly stored: Json;
}

/** Fields of a calendar event that a handler needs to build its next request. */
export interface StoredEvent {
  /** Event as the calendar returned it, with all fields. */
  readonly stored: Json;
  readonly etag?: string;
  readonly start: EventTime;
  readonly end: EventTime;
  readonly isSeries: boolean;
  readonly isOccurrence: boolean;
  readonly attendees: readonly Attendee[];
  readonly attendeesOmitted: boolean;
  readonly hasMeetingRoom: boolean;
}

/** Parses a calendar event in an upstream response. All fields except the id may be missing. */
export function readEvent(event: unknown): StoredEvent {
  if (!isJsonObject(event))
    throw new ServiceError(
      'upstream_failed',
      'The calendar responded without an event, so nothing was changed. Retry the call.',
    );
  const { attendees, conferenceData } = event;
  return {
    stored: event,
    ...textsOf(event, ['etag']),
    start: textsOf(event['start'], ['date', 'dateTime', 'timeZone']),
    end: textsOf(event['end'], ['date', 'dateTime', 'timeZone']),
    isSeries: Array.isArray(event['recurrence']),
    isOccurrence: event['recurringEventId'] !== undefined,
    attendees: Array.isArray(attendees) ? attendees.filter(isJsonObject).map(readAttendee) : [],
    attendeesOmitted: event['attendeesOmitted'] === true,
    hasMeetingRoom: isJsonObject(conferenceData) && conferenceData['conferenceId'] !== undefined,
  };
}

const readAttendee = (stored: Json): Attendee => ({ stored, ...textsOf(stored, ['email']) });

/** Returns those fields of the JSON object `value` that `names` lists and whose values are strings. */
export function textsOf<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {};
  if (!isJsonObject(value)) return texts;
  for (const name of names) {
    const text = value[name];
    if (typeof text === 'string') texts[name] = text;
  }
  return texts;
}

import { invalidField, ServiceError } from '../../../errors.js';
import type { CalendarUpdateEventInput } from '../../../generated/handlers.js';
import type { HandlerContext, Send, UpstreamRequest } from '../../handler.js';
import type { Json } from '../json.js';
import { attendeesOf, eventFields, ifMatch, meetingRoom, writeQuery } from './event-body.js';
import { changedTimes, needsStoredTimes } from './event-times.js';
import { eventPath } from './paths.js';
import { retryLostRace } from './retry-lost-race.js';
import { readEvent, type StoredEvent } from './stored-event.js';

// Matches the id of a single event of a series. Such an id consists of the id of the series and the start time.
const OCCURRENCE_ID = /^.+_\d{8}(T\d{6}Z)?$/;

/**
 * Updates a calendar event with the fields of the tool input. Reads the event first if the new values depend on its
 * stored values.
 */
export async function updateEvent(
  input: CalendarUpdateEventInput,
  send: Send,
  context: HandlerContext,
): Promise<unknown> {
  if (OCCURRENCE_ID.test(input.event_id)) refuseRecurrence(input);
  if (!needsStored(input)) return change(input, send, context);
  return retryLostRace(async () => change(input, send, context, await read(input, send)));
}

async function change(
  input: CalendarUpdateEventInput,
  send: Send,
  { randomId }: HandlerContext,
  stored?: StoredEvent,
) {
  const body = bodyOf(input, randomId, stored);
  if (Object.keys(body).length === 0) return stored?.stored ?? send(readRequest(input));
  return send({
    method: 'PATCH',
    path: eventPath(input.calendar_id, input.event_id),
    ...writeQuery(input.send_updates, body),
    ...(stored === undefined ? {} : ifMatch(stored)),
    body,
  });
}

function bodyOf(input: CalendarUpdateEventInput, randomId: () => string, stored?: StoredEvent): Json {
  if (stored !== undefined) refuseUnsafe(input, stored);
  const { attendees_emails: emails, create_meeting_room: wantsRoom } = input;
  const makesRoom = wantsRoom === true && stored?.hasMeetingRoom !== true;
  return {
    ...eventFields(input),
    ...changedTimes({ ...input, ...zoneOfSeries(input, stored) }, stored),
    ...(emails === undefined ? {} : { attendees: attendeesOf(emails, stored) }),
    ...(makesRoom ? { conferenceData: meetingRoom(randomId()) } : {}),
  };
}

function needsStored(input: CalendarUpdateEventInput): boolean {
  return (
    input.attendees_emails !== undefined ||
    input.create_meeting_room === true ||
    (repeats(input) && input.timezone === undefined) ||
    needsStoredTimes(input)
  );
}

function refuseUnsafe(input: CalendarUpdateEventInput, stored: StoredEvent): void {
  if (stored.isOccurrence) refuseRecurrence(input);
  if (input.attendees_emails !== undefined && stored.attendeesOmitted) {
    const reason = 'the calendar hides some attendees of this event, and a new list would remove them';
    throw new ServiceError(
      'conflict',
      `Nothing was changed, because ${reason}. To change the other fields and keep the attendees, call again without "attendees_emails".`,
    );
  }
  const { date, timeZone } = stored.start;
  const hasTime = date === undefined || input.start_datetime !== undefined;
  const lacksZone = hasTime && (input.timezone ?? timeZone) === undefined;
  if (repeats(input) && lacksZone) {
    throw invalidField(
      'timezone',
      'requiredWith',
      'is required, because a series needs a time zone and the event has none; set it',
    );
  }
}

// Returns the stored time zone of an event that becomes or stays recurring, because the calendar requires a time zone
// for the times of recurring events.
function zoneOfSeries(input: CalendarUpdateEventInput, stored?: StoredEvent): { timezone?: string } {
  const { dateTime, timeZone } = stored?.start ?? {};
  const isKnown = dateTime !== undefined && timeZone !== undefined && input.timezone === undefined;
  return repeats(input) && isKnown ? { timezone: timeZone } : {};
}

function refuseRecurrence({ recurrence }: CalendarUpdateEventInput): void {
  if (recurrence === undefined) return;
  const message =
    'cannot be changed for one occurrence of a series. Set event_id to the id of the series: the field recurringEventId of the occurrence.';
  throw invalidField('recurrence', 'occurrence', message);
}

const repeats = ({ recurrence = [] }: CalendarUpdateEventInput): boolean => recurrence.length > 0;

const readRequest = ({ calendar_id, event_id }: CalendarUpdateEventInput): UpstreamRequest => ({
  method: 'GET',
  path: eventPath(calendar_id, event_id),
});

const read = async (input: CalendarUpdateEventInput, send: Send) => readEvent(await send(readRequest(input)));

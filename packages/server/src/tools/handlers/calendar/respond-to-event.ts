import { ServiceError } from '../../../errors.js';
import type { CalendarRespondToEventInput } from '../../../generated/handlers.js';
import type { Send } from '../../handler.js';
import { type Json, withoutUndefined } from '../json.js';
import { ifMatch, writeQuery } from './event-body.js';
import { eventPath } from './paths.js';
import { retryLostRace } from './retry-lost-race.js';
import { type Attendee, readEvent, type StoredEvent } from './stored-event.js';

/**
 * Changes the calendar owner's entry in the list of attendees. All other attendees are sent back unchanged, because a
 * PATCH replaces the list.
 */
export const respondToEvent = (input: CalendarRespondToEventInput, send: Send): Promise<unknown> =>
  retryLostRace(() => respond(input, send));

async function respond(input: CalendarRespondToEventInput, send: Send): Promise<unknown> {
  const path = eventPath(input.calendar_id, input.event_id);
  const event = readEvent(await send({ method: 'GET', path }));
  const body = {
    // `attendeesOmitted` makes the calendar update only the owner's entry. It would otherwise remove the attendees that
    // its response omitted.
    ...(event.attendeesOmitted ? { attendeesOmitted: true } : {}),
    attendees: attendeesWith(event, input),
  };
  return send({ method: 'PATCH', path, ...writeQuery(input.send_updates, body), ...ifMatch(event), body });
}

function attendeesWith(
  { stored, attendees }: StoredEvent,
  { response, comment }: CalendarRespondToEventInput,
): readonly Json[] {
  if (stored['status'] === 'cancelled')
    throw new ServiceError(
      'not_found',
      'The event was cancelled, so nothing was changed. Its invitation needs no response.',
    );
  if (!attendees.some(isOwn)) {
    const remedy = 'Set calendar_id to the calendar that was invited.';
    throw new ServiceError(
      'conflict',
      `Nothing was changed, because the user is not a guest of this event. ${remedy}`,
    );
  }
  const reply = withoutUndefined({ responseStatus: response, comment });
  return attendees.map((attendee) => (isOwn(attendee) ? { ...attendee.stored, ...reply } : attendee.stored));
}

const isOwn = ({ stored }: Attendee): boolean => stored['self'] === true;

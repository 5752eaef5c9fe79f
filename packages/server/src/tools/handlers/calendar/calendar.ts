import { isJsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Handlers } from '../../../generated/handlers.js';
import { attendeesOf, eventFields, meetingRoom, writeQuery } from './event-body.js';
import { refuseExcluded } from './event-filter.js';
import { newTimes } from './event-times.js';
import { eventPath, eventsPath } from './paths.js';
import { readEvent } from './stored-event.js';
import { updateEvent } from './update-event.js';

export const calendar: Pick<Handlers, Extract<keyof Handlers, `calendar_${string}`>> = {
  calendar_create_event: async (input, send, { randomId }) => {
    const body = {
      ...eventFields(input),
      ...newTimes(input),
      ...(input.attendees_emails === undefined ? {} : { attendees: attendeesOf(input.attendees_emails) }),
      ...(input.create_meeting_room === true ? { conferenceData: meetingRoom(randomId()) } : {}),
    };
    return send({
      method: 'POST',
      path: eventsPath(input.calendar_id),
      ...writeQuery(input.send_updates, body),
      body,
    });
  },

  calendar_delete_event: async ({ calendar_id, event_id }, send) => {
    try {
      await send({ method: 'DELETE', path: eventPath(calendar_id, event_id) });
      return { deleted: true, alreadyDeleted: false };
    } catch (error) {
      if (isAlreadyDeleted(error)) return { deleted: true, alreadyDeleted: true };
      throw error;
    }
  },

  calendar_get_event_by_id: async ({ calendar_id, event_id, ...filter }, send) => {
    const event = readEvent(await send({ method: 'GET', path: eventPath(calendar_id, event_id) }));
    refuseExcluded(event, filter);
    return event.stored;
  },

  calendar_update_event: updateEvent,
};

function isAlreadyDeleted(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.details?.['status'] !== 410) return false;
  const body = error.details['body'];
  const reasons = isJsonObject(body) && isJsonObject(body['error']) ? body['error']['errors'] : undefined;
  return (
    Array.isArray(reasons) && reasons.some((entry) => isJsonObject(entry) && entry['reason'] === 'deleted')
  );
}

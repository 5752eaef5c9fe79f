import { ServiceError } from '../../errors.js';
import type { Handler } from '../handler.js';
import { attendeesOf, eventFields, type FieldInput, meetingRoom, writeQuery } from './calendar-event-body.js';
import { type EventFilter, refuseExcluded } from './calendar-event-filter.js';
import { newTimes, type TimeInput } from './calendar-event-times.js';
import { eventPath, eventsPath } from './calendar-paths.js';
import { isObject, readEvent } from './calendar-stored-event.js';
import { type UpdateEventInput, updateEvent } from './calendar-update-event.js';

interface CreateEventInput extends FieldInput, TimeInput {
  readonly start_datetime: string;
  readonly calendar_id?: string;
  readonly attendees_emails?: readonly string[];
  readonly create_meeting_room?: boolean;
  readonly send_updates?: boolean;
}

interface EventId {
  readonly calendar_id?: string;
  readonly event_id: string;
}

interface CalendarHandlers {
  readonly calendar_create_event: Handler<CreateEventInput>;
  readonly calendar_delete_event: Handler<EventId>;
  readonly calendar_get_event_by_id: Handler<EventId & EventFilter>;
  readonly calendar_update_event: Handler<UpdateEventInput>;
}

export const calendar: CalendarHandlers = {
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
  const reasons = isObject(body) && isObject(body['error']) ? body['error']['errors'] : undefined;
  return Array.isArray(reasons) && reasons.some((entry) => isObject(entry) && entry['reason'] === 'deleted');
}

import type { Handlers } from '../../../generated/handlers.js';
import { attendeesOf, eventFields, meetingRoom, writeQuery } from './event-body.js';
import { refuseExcluded } from './event-filter.js';
import { newTimes } from './event-times.js';
import { eventPath, eventsPath } from './paths.js';
import { readEvent } from './stored-event.js';
import { updateEvent } from './update-event.js';

export const calendar: Pick<Handlers, Extract<keyof Handlers, `calendar_${string}`>> = {
  // Computes the end of an event, in its time zone.
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

  // Compares the event with conditions that the upstream supports only for lists.
  calendar_get_event_by_id: async ({ calendar_id, event_id, ...filter }, send) => {
    const event = readEvent(await send({ method: 'GET', path: eventPath(calendar_id, event_id) }));
    refuseExcluded(event, filter);
    return event.stored;
  },

  // Reads the event first where the change depends on it, and again after a concurrent change.
  calendar_update_event: updateEvent,
};

import type { Handlers } from '../../../generated/handlers.js';
import type { Json } from '../json.js';
import { attendeesOf, eventFields, meetingRoom, writeQuery } from './event-body.js';
import { refuseExcluded } from './event-filter.js';
import { allDayTimes, newTimes } from './event-times.js';
import { eventPath, eventsPath } from './paths.js';
import { respondToEvent } from './respond-to-event.js';
import { readEvent } from './stored-event.js';
import { updateEvent } from './update-event.js';

/** Converts the emails of the input to the attendees of a new event. Returns no field if the input has no emails. */
const invited = (emails: readonly string[] | undefined): Json =>
  emails === undefined ? {} : { attendees: attendeesOf(emails) };

export const calendar: Pick<Handlers, Extract<keyof Handlers, `calendar_${string}`>> = {
  // A handler is necessary to compute the end date of the event, which is the day after its last day.
  calendar_create_all_day_event: async (input, send) => {
    const body = { ...eventFields(input), ...allDayTimes(input), ...invited(input.attendees_emails) };
    return send({
      method: 'POST',
      path: eventsPath(input.calendar_id),
      ...writeQuery(input.send_updates, body),
      body,
    });
  },

  // A handler is necessary to compute the end of the event from its duration and its time zone.
  calendar_create_event: async (input, send, { randomId }) => {
    const body = {
      ...eventFields(input),
      ...newTimes(input),
      ...invited(input.attendees_emails),
      ...(input.create_meeting_room === true ? { conferenceData: meetingRoom(randomId()) } : {}),
    };
    return send({
      method: 'POST',
      path: eventsPath(input.calendar_id),
      ...writeQuery(input.send_updates, body),
      body,
    });
  },

  // A handler is necessary because the calendar API supports these filters for lists of events, but not for one event.
  calendar_get_event_by_id: async ({ calendar_id, event_id, ...filter }, send) => {
    const event = readEvent(await send({ method: 'GET', path: eventPath(calendar_id, event_id) }));
    refuseExcluded(event, filter);
    return event.stored;
  },

  // A handler is necessary to change one attendee, because a PATCH replaces the whole list of attendees.
  calendar_respond_to_event: respondToEvent,

  // A handler is necessary to read the event first if the change depends on it, and to retry after a concurrent change.
  calendar_update_event: updateEvent,
};

import type { Handlers } from '../../../generated/handlers.js';
import type { Json } from '../json.js';
import { attendeesOf, eventFields, meetingRoom, writeQuery } from './event-body.js';
import { refuseExcluded } from './event-filter.js';
import { allDayTimes, newTimes } from './event-times.js';
import { eventPath, eventsPath } from './paths.js';
import { respondToEvent } from './respond-to-event.js';
import { readEvent } from './stored-event.js';
import { updateEvent } from './update-event.js';

/**
 * Converts the email addresses of the tool input to the attendees of a new event. Returns no field if the input has no
 * email addresses.
 */
const invited = (emails: readonly string[] | undefined): Json =>
  emails === undefined ? {} : { attendees: attendeesOf(emails) };

export const calendar: Pick<Handlers, Extract<keyof Handlers, `calendar_${string}`>> = {
  // Handler code, because a JSON tool definition cannot compute the end date of the event, which is the day after its
  // last day.
  calendar_create_all_day_event: async (input, send) => {
    const body = { ...eventFields(input), ...allDayTimes(input), ...invited(input.attendees_emails) };
    return send({
      method: 'POST',
      path: eventsPath(input.calendar_id),
      ...writeQuery(input.send_updates, body),
      body,
    });
  },

  // Handler code, because a JSON tool definition cannot compute the end of the event from its duration and its time
  // zone.
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

  // Handler code, because a JSON tool definition cannot refuse an event that the filters of the input exclude. The
  // calendar API supports these filters only for lists of events.
  calendar_get_event_by_id: async ({ calendar_id, event_id, ...filter }, send) => {
    const event = readEvent(await send({ method: 'GET', path: eventPath(calendar_id, event_id) }));
    refuseExcluded(event, filter);
    return event.stored;
  },

  // Handler code, because a JSON tool definition cannot change one attendee. A PATCH replaces the whole list of
  // attendees.
  calendar_respond_to_event: respondToEvent,

  // Handler code, because a JSON tool definition cannot read the event only if the change depends on it, or retry after
  // a concurrent change.
  calendar_update_event: updateEvent,
};

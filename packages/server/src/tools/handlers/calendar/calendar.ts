import type { Handlers } from '../../../generated/handlers.js';
import type { Json } from '../json.js';
import { attendeesOf, eventFields, meetingRoom, writeQuery } from './event-body.js';
import { refuseExcluded } from './event-filter.js';
import { allDayTimes, newTimes } from './event-times.js';
import { eventPath, eventsPath } from './paths.js';
import { respondToEvent } from './respond-to-event.js';
import { readEvent } from './stored-event.js';
import { updateEvent } from './update-event.js';

/** Attendees of a new event; none without the input. */
const invited = (emails: readonly string[] | undefined): Json =>
  emails === undefined ? {} : { attendees: attendeesOf(emails) };

export const calendar: Pick<Handlers, Extract<keyof Handlers, `calendar_${string}`>> = {
  // Computes the day after the last one.
  calendar_create_all_day_event: async (input, send) => {
    const body = { ...eventFields(input), ...allDayTimes(input), ...invited(input.attendees_emails) };
    return send({
      method: 'POST',
      path: eventsPath(input.calendar_id),
      ...writeQuery(input.send_updates, body),
      body,
    });
  },

  // Computes the end of an event, in its time zone.
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

  // Compares the event with conditions that the upstream supports only for lists.
  calendar_get_event_by_id: async ({ calendar_id, event_id, ...filter }, send) => {
    const event = readEvent(await send({ method: 'GET', path: eventPath(calendar_id, event_id) }));
    refuseExcluded(event, filter);
    return event.stored;
  },

  // Changes one entry of the list of attendees, which a PATCH replaces as a whole.
  calendar_respond_to_event: respondToEvent,

  // Reads the event first where the change depends on it, and again after a concurrent change.
  calendar_update_event: updateEvent,
};

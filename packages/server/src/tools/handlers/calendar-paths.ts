import { segment } from '../segment.js';

/** The events of a calendar; `primary` is the user's own. */
export const eventsPath = (calendarId = 'primary'): string =>
  `/calendar/v3/calendars/${segment(calendarId)}/events`;

export const eventPath = (calendarId: string | undefined, eventId: string): string =>
  `${eventsPath(calendarId)}/${segment(eventId)}`;

import { segment } from '@svc/catalog';

export const eventsPath = (calendarId: string): string =>
  `/calendar/v3/calendars/${segment(calendarId, 'calendar_id')}/events`;

export const eventPath = (calendarId: string, eventId: string): string =>
  `${eventsPath(calendarId)}/${segment(eventId, 'event_id')}`;

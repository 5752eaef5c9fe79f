import { explainScopes } from '../../google/scopes.js';

const EXPLANATIONS = {
  calendar: 'See, edit, share and permanently delete all calendars',
  'calendar.readonly': 'See and download any calendar',
  'calendar.events': 'View and edit events on all calendars',
  'calendar.events.readonly': 'View events on all calendars',
  'calendar.events.owned': 'See, create, change and delete events on calendars that you own',
  'calendar.events.owned.readonly': 'See the events on calendars that you own',
  'calendar.events.freebusy': 'See the availability on calendars that you can access',
  'calendar.events.public.readonly': 'See the events on public calendars',
  'calendar.app.created': 'Make secondary calendars, and see, create, change and delete events on them',
  'calendar.calendars.readonly':
    'See the title, time zone and other properties of calendars that you can access',
  'calendar.calendarlist': 'See, add and remove calendars that you are subscribed to',
  'calendar.calendarlist.readonly': 'See the list of calendars that you are subscribed to',
} as const;

export type ScopeName = keyof typeof EXPLANATIONS;

export const SCOPES = explainScopes(EXPLANATIONS);

export const WRITING: readonly ScopeName[] = [
  'calendar',
  'calendar.events',
  'calendar.events.owned',
  'calendar.app.created',
];

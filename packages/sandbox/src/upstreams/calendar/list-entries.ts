import { ApiError } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { invalid, required } from './api-error.js';
import { presentEntry } from './calendar-list.js';
import { type Call, findCalendar, serviceMethods } from './call.js';
import { type CalendarRecord, type CalendarState, type Fields, removeCalendar, touchEntry } from './state.js';

const SCOPES = ['calendar', 'calendar.calendarlist'] as const;
const ONE = '/users/me/calendarList/:calendarId';
const COLORED = { colorRgbFormat: 'flag' } as const;

export const listEntryMethods = serviceMethods('CalendarList', SCOPES, {
  Insert: { path: '/users/me/calendarList', parameters: COLORED, handle: insertEntry },
  Patch: { path: ONE, parameters: COLORED, handle: (call) => changeEntry(call, call.calendar()) },
  Update: {
    path: ONE,
    parameters: COLORED,
    handle(call) {
      const calendar = call.calendar();
      calendar.listing = {};
      return changeEntry(call, calendar);
    },
  },
  Delete: { path: ONE, handle: deleteEntry },
});

const KEPT: Readonly<Record<string, string>> = {
  summaryOverride: 'string',
  selected: 'boolean',
  colorId: 'string',
  backgroundColor: 'string',
  foregroundColor: 'string',
  defaultReminders: 'object',
  notificationSettings: 'object',
};

function changeEntry({ body, parameters, state }: Call, calendar: CalendarRecord): Outcome {
  const usesRgb = parameters.flag('colorRgbFormat') ?? false;
  if (!usesRgb && (body.backgroundColor !== undefined || body.foregroundColor !== undefined))
    throw invalid('Colors are taken with colorRgbFormat=true alone.');
  const listing: Fields = { ...calendar.listing };
  for (const [name, type] of Object.entries(KEPT)) {
    const value = body[name];
    if (value === undefined) continue;
    if (value === null) delete listing[name];
    else if (typeof value !== type) throw invalid(`Invalid value for: ${name}: wrong type`);
    else listing[name] = value;
  }
  calendar.listing = listing;
  if (typeof body.hidden === 'boolean') calendar.isHidden = body.hidden;
  touchEntry(state, calendar);
  return { body: presentEntry(calendar) };
}

function insertEntry(call: Call): Outcome {
  const { id } = call.body;
  if (typeof id !== 'string') throw required('Missing calendar id.');
  const calendar = subscribeAgain(call.state, id) ?? findCalendar(call.state, id);
  calendar.isHidden = false;
  return changeEntry(call, calendar);
}

/** A calendar of somebody else's that was taken off the list; an own one has been deleted. */
function subscribeAgain({ gone, calendars }: CalendarState, id: string): CalendarRecord | undefined {
  const calendar = gone.get(id);
  if (calendar === undefined || calendar.accessRole === 'owner') return undefined;
  gone.delete(id);
  calendars.set(id, calendar);
  return calendar;
}

function deleteEntry(call: Call): Outcome {
  const calendar = call.calendar();
  if (calendar.accessRole === 'owner')
    throw new ApiError(
      403,
      'cannotUnsubscribeFromOwnCalendar',
      'One cannot unsubscribe from an own calendar.',
    );
  removeCalendar(call.state, calendar);
  return { status: 204 };
}

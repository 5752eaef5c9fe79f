import { randomBytes } from 'node:crypto';
import { ApiError } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { isZone } from '../../zoned-time.js';
import { invalid, required } from './api-error.js';
import { presentCalendar } from './calendar-list.js';
import { applyProperties } from './calendar-properties.js';
import { type Call, serviceMethods } from './call.js';
import { type CalendarRecord, type Fields, ownerRule, removeCalendar, touchEntry } from './state.js';

const SCOPES = ['calendar', 'calendar.app.created'] as const;
const ONE = '/calendars/:calendarId';

export const calendarMethods = serviceMethods('Calendars', SCOPES, {
  Insert: { path: '/calendars', handle: insertCalendar },
  Patch: { path: ONE, handle: (call) => changeCalendar(call, { merges: true }) },
  Update: { path: ONE, handle: (call) => changeCalendar(call, { merges: false }) },
  Delete: { path: ONE, handle: deleteCalendar },
  Clear: { path: `${ONE}/clear`, scopes: ['calendar'], handle: clearCalendar },
});

function readText(body: Readonly<Fields>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalid(`Invalid value for: ${name}: wrong type`);
  return value;
}

function readZone(body: Readonly<Fields>): string | undefined {
  const zone = readText(body, 'timeZone');
  if (zone !== undefined && !isZone(zone)) throw invalid('Invalid time zone.');
  return zone;
}

function insertCalendar({ state, body }: Call): Outcome {
  const summary = readText(body, 'summary');
  if (summary === undefined || summary === '') throw required('Missing summary.');
  const calendar: CalendarRecord = {
    id: `c_${randomBytes(32).toString('hex')}@group.calendar.google.com`,
    summary,
    timeZone: readZone(body) ?? 'UTC',
    accessRole: 'owner',
    isPrimary: false,
    isHidden: false,
    color: { id: '14', background: '#9fe1e7' },
    events: new Map(),
    rules: new Map([ownerRule(state.person.email)]),
    updated: state.now(),
    listChange: state.nextChange(),
  };
  applyTexts(calendar, body);
  applyProperties(calendar, body);
  state.calendars.set(calendar.id, calendar);
  return { body: presentCalendar(calendar) };
}

function applyTexts(calendar: CalendarRecord, body: Readonly<Fields>): void {
  for (const name of ['description', 'location'] as const) {
    const value = readText(body, name);
    if (value !== undefined) calendar[name] = value;
    else if (body[name] === null) delete calendar[name];
  }
}

function ownCalendar(call: Call): CalendarRecord {
  const calendar = call.writableCalendar();
  if (calendar.accessRole !== 'owner') throw new ApiError(403, 'forbidden', 'Forbidden');
  return calendar;
}

function changeCalendar(call: Call, { merges }: { readonly merges: boolean }): Outcome {
  const calendar = ownCalendar(call);
  const { body, state } = call;
  const summary = readText(body, 'summary');
  if (!merges && summary === undefined) throw required('Missing summary.');
  if (!merges) {
    delete calendar.description;
    delete calendar.location;
  }
  applyTexts(calendar, body);
  applyProperties(calendar, body);
  calendar.summary = summary ?? calendar.summary;
  calendar.timeZone = readZone(body) ?? calendar.timeZone;
  touchEntry(state, calendar);
  return { body: presentCalendar(calendar) };
}

function deleteCalendar(call: Call): Outcome {
  const calendar = ownCalendar(call);
  if (calendar.isPrimary)
    throw new ApiError(403, 'cannotDeletePrimaryCalendar', 'The primary calendar cannot be deleted.');
  removeCalendar(call.state, calendar);
  return { status: 204 };
}

function clearCalendar(call: Call): Outcome {
  const calendar = ownCalendar(call);
  if (!calendar.isPrimary) throw invalid('Only the primary calendar can be cleared.');
  calendar.events.clear();
  calendar.updated = call.state.now();
  return { status: 204 };
}

import { isObject } from '../../json.js';
import { isZone, parseDate, parseDateTime } from '../../zoned-time.js';
import { invalid, remindersTwice, required, timeRangeEmpty } from './api-error.js';
import { readAttendees } from './attendees.js';
import { momentOf } from './event-times.js';
import { parseRecurrence } from './recurrence.js';
import type { CalendarRecord, EventTime, Fields } from './state.js';

/** Event fields that a request may set. Other fields are ignored, as in the real service. */
const TEXTS = ['summary', 'description', 'location', 'colorId', 'eventLabelId', 'iCalUID'];
const FLAGS =
  'guestsCanInviteOthers guestsCanModify guestsCanSeeOtherGuests anyoneCanAddSelf endTimeUnspecified'.split(
    ' ',
  );
const OBJECTS =
  'extendedProperties source focusTimeProperties outOfOfficeProperties workingLocationProperties birthdayProperties gadget conferenceData'.split(
    ' ',
  );
export const EVENT_TYPES = [
  'birthday',
  'default',
  'focusTime',
  'fromGmail',
  'outOfOffice',
  'workingLocation',
] as const;

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  visibility: ['default', 'public', 'private', 'confidential'],
  transparency: ['opaque', 'transparent'],
  eventType: EVENT_TYPES,
  status: ['confirmed', 'tentative', 'cancelled'],
};

export function readEventBody(body: Readonly<Fields>, calendar: CalendarRecord) {
  const fields: Fields = {};
  for (const name of TEXTS) copy(body, fields, name, (value) => typeof value === 'string');
  for (const name of FLAGS) copy(body, fields, name, (value) => typeof value === 'boolean');
  for (const name of OBJECTS) copy(body, fields, name, isObject);
  for (const [name, allowed] of Object.entries(CHOICES))
    copy(body, fields, name, (value) => allowed.some((one) => one === value));
  if (body.attendees !== undefined) fields.attendees = readAttendees(body.attendees);
  if (body.reminders !== undefined) fields.reminders = readReminders(body.reminders);
  if (body.attachments !== undefined) fields.attachments = readAttachments(body.attachments);
  const start = readTime(body.start, 'start');
  const end = readTime(body.end, 'end');
  if (body.recurrence !== undefined) fields.recurrence = readRecurrence(body.recurrence, start, end);
  checkRange(start, end, calendar);
  return { fields, start, end };
}

function copy(body: Readonly<Fields>, fields: Fields, name: string, fits: (value: unknown) => boolean): void {
  const value = body[name];
  if (value === undefined) return;
  if (!fits(value))
    throw invalid(
      `Invalid value for: ${name}: ${typeof value === 'string' ? `${value} is not a valid value` : 'wrong type'}`,
    );
  fields[name] = value;
}

function readTime(value: unknown, name: 'start' | 'end'): EventTime {
  if (!isObject(value)) throw required(`Missing ${name} time.`);
  const { date, dateTime, timeZone } = value;
  if (date !== undefined && dateTime !== undefined) throw invalid(`Invalid ${name} time.`);
  if (timeZone !== undefined && (typeof timeZone !== 'string' || !isZone(timeZone))) {
    throw invalid(`Invalid time zone definition for ${name} time.`);
  }
  const zone = typeof timeZone === 'string' ? { timeZone } : {};
  if (typeof date === 'string') {
    if (parseDate(date) === undefined) throw invalid(`Invalid value for: Invalid format: "${date}"`);
    return { date, ...zone };
  }
  if (typeof dateTime !== 'string') throw required(`Missing ${name} time.`);
  const parsed = parseDateTime(dateTime);
  if (parsed === undefined) throw invalid(`Invalid value for: Invalid format: "${dateTime}"`);
  if (parsed.instant === undefined && timeZone === undefined)
    throw required(`Missing time zone definition for ${name} time.`);
  return { dateTime, ...zone };
}

function checkRange(start: EventTime, end: EventTime, { timeZone }: CalendarRecord): void {
  if ((start.date === undefined) !== (end.date === undefined)) {
    throw invalid('Start and end times must either both be date or both be dateTime.');
  }
  if (momentOf(end, timeZone) <= momentOf(start, timeZone)) throw timeRangeEmpty();
}

function readRecurrence(value: unknown, start: EventTime, end: EventTime): string[] {
  if (!Array.isArray(value) || !value.every((line) => typeof line === 'string'))
    throw invalid('Invalid recurrence rule.');
  if (parseRecurrence(value) === undefined) throw invalid('Invalid recurrence rule.');
  for (const [name, time] of [
    ['start', start],
    ['end', end],
  ] as const) {
    const isFloating = value.length > 0 && time.dateTime !== undefined && time.timeZone === undefined;
    if (isFloating) throw required(`Missing time zone definition for ${name} time.`);
  }
  return value;
}

const MAX_OVERRIDES = 5;
const MAX_MINUTES = 40_320;

function readReminders(value: unknown): Fields {
  if (!isObject(value)) throw invalid('Invalid reminders.');
  const { useDefault = false, overrides } = value;
  if (typeof useDefault !== 'boolean') throw invalid('Invalid reminders.');
  if (overrides === undefined) return { useDefault };
  if (!Array.isArray(overrides) || overrides.length > MAX_OVERRIDES)
    throw invalid(`An event takes at most ${MAX_OVERRIDES} reminder overrides.`);
  if (useDefault && overrides.length > 0) throw remindersTwice();
  return { useDefault, overrides: overrides.map(readOverride) };
}

function readOverride(value: unknown): Fields {
  const { method, minutes } = isObject(value) ? value : {};
  if (method !== 'email' && method !== 'popup') throw invalid('Invalid value for: reminder method.');
  if (typeof minutes !== 'number' || !Number.isInteger(minutes) || minutes < 0 || minutes > MAX_MINUTES) {
    throw invalid(`Reminder minutes must be between 0 and ${MAX_MINUTES}.`);
  }
  return { method, minutes };
}

const MAX_ATTACHMENTS = 25;

function readAttachments(value: unknown): Fields[] {
  if (!Array.isArray(value) || value.length > MAX_ATTACHMENTS)
    throw invalid(`An event takes at most ${MAX_ATTACHMENTS} attachments.`);
  return value.map((entry) => {
    if (!isObject(entry) || typeof entry.fileUrl !== 'string') throw required('Missing attachment file URL.');
    return entry;
  });
}

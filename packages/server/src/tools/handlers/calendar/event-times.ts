import { invalidField } from '../../../errors.js';
import type {
  CalendarCreateAllDayEventInput,
  CalendarUpdateEventInput,
} from '../../../generated/handlers.js';
import type { EventTime, StoredEvent } from './stored-event.js';
import { addMinutes, type DateTime, dayAfter, instantOf, parseDateTime, printDateTime } from './time.js';

const DEFAULT_MINUTES = 30;

/** Tool inputs that describe the time of an event. */
export type TimeInput = Pick<
  CalendarUpdateEventInput,
  'start_datetime' | 'end_datetime' | 'event_duration_hour' | 'event_duration_minutes' | 'timezone'
>;

type TimeField = 'start_datetime' | 'end_datetime';

interface Moment {
  readonly time: DateTime;
  readonly timeZone: string | undefined;
}

/** Computes `start` and `end` of a new event from the tool input. */
export function newTimes(input: TimeInput & { readonly start_datetime: string }) {
  const start = readMoment('start_datetime', input.start_datetime, input.timezone);
  const end = later(start, minutesOf(input) ?? DEFAULT_MINUTES);
  refuseEmpty(start, end, 'event_duration_minutes');
  return { start: written(start), end: written(end) };
}

/**
 * Computes `start` and `end` of a new all-day event. `end` is the day after the last day, because the calendar excludes
 * the end date.
 */
export function allDayTimes({
  start_date,
  last_date = start_date,
}: Pick<CalendarCreateAllDayEventInput, 'start_date' | 'last_date'>) {
  if (last_date < start_date)
    throw invalidField(
      'last_date',
      'before',
      'must not be before start_date; set it to the last day of the event',
    );
  const end = dayAfter(last_date);
  if (end === undefined)
    throw invalidField('last_date', 'maximum', 'must be before 9999-12-31; set an earlier date');
  return { start: { date: start_date }, end: { date: end } };
}

/**
 * Computes `start` and `end` of an event update. `stored`: current event of the calendar, required if
 * `needsStoredTimes` returns true.
 */
export function changedTimes(input: TimeInput, stored?: StoredEvent) {
  const start = changedStart(input, stored);
  const end = changedEnd(input, start, stored);
  refuseEmpty(start ?? storedMoment(stored?.start), end ?? storedMoment(stored?.end), blamed(input));
  // `date: null` removes the date of an all-day event. The calendar would otherwise keep the date in addition to the
  // new time.
  return {
    ...(start === undefined ? {} : { start: { date: null, ...written(start) } }),
    ...(end === undefined ? {} : { end: { date: null, ...written(end) } }),
  };
}

/**
 * Returns true if the new times of an event depend on its stored times, for example when the input changes only the
 * duration.
 */
export function needsStoredTimes(input: TimeInput): boolean {
  const hasStart = input.start_datetime !== undefined;
  const hasEnd = input.end_datetime !== undefined;
  const hasDuration = minutesOf(input) !== undefined;
  if (hasDuration && !hasStart && !hasEnd) return true;
  return input.timezone !== undefined && !(hasStart && (hasEnd || hasDuration));
}

function changedStart({ start_datetime, timezone }: TimeInput, stored?: StoredEvent): Moment | undefined {
  if (start_datetime !== undefined) {
    return {
      ...readMoment('start_datetime', start_datetime, timezone),
      timeZone: timezone ?? stored?.start.timeZone,
    };
  }
  return timezone === undefined ? undefined : inZone(timezone, stored?.start);
}

function changedEnd(input: TimeInput, start: Moment | undefined, stored?: StoredEvent): Moment | undefined {
  const { end_datetime, timezone } = input;
  const timeZone = timezone ?? stored?.end.timeZone;
  if (end_datetime !== undefined) return { ...readMoment('end_datetime', end_datetime, timezone), timeZone };
  const minutes = minutesOf(input);
  if (minutes === undefined) return timezone === undefined ? undefined : inZone(timezone, stored?.end);
  const end = later(start ?? startOf(stored), minutes);
  return { ...end, timeZone: timeZone ?? end.timeZone };
}

function readMoment(field: TimeField, text: string, timeZone: string | undefined): Moment {
  const time = parseDateTime(text);
  if (time === undefined) {
    throw invalidField(field, 'format', 'is not a valid date and time; use the form 2026-12-01T09:00:00Z');
  }
  if (time.offset === undefined && timeZone === undefined) {
    const remedy = 'set it, or end the time with Z or an offset such as +01:00';
    throw invalidField('timezone', 'required', `is required, because ${field} has no offset; ${remedy}`);
  }
  return { time, timeZone };
}

function startOf(stored: StoredEvent | undefined): Moment {
  const start = storedMoment(stored?.start);
  if (start !== undefined) return start;
  throw invalidField(
    'start_datetime',
    'required',
    'is required, because the event has no start time; set it',
  );
}

function inZone(timeZone: string, time: EventTime | undefined): Moment {
  const moment = storedMoment(time);
  if (moment !== undefined) return { ...moment, timeZone };
  const remedy = 'also set start_datetime and a duration or end_datetime';
  throw invalidField(
    'timezone',
    'requiredWith',
    `is not enough, because the event has no start time; ${remedy}`,
  );
}

function storedMoment(time: EventTime | undefined): Moment | undefined {
  const parsed = time?.dateTime === undefined ? undefined : parseDateTime(time.dateTime);
  if (parsed === undefined || instantOf(parsed, time?.timeZone) === undefined) return undefined;
  return { time: parsed, timeZone: time?.timeZone };
}

function minutesOf({
  event_duration_hour: hours,
  event_duration_minutes: minutes,
}: TimeInput): number | undefined {
  return hours === undefined && minutes === undefined ? undefined : (hours ?? 0) * 60 + (minutes ?? 0);
}

function later({ time, timeZone }: Moment, minutes: number): Moment {
  const end = addMinutes(time, minutes, timeZone);
  if (end !== undefined) return { time: end, timeZone };
  throw invalidField(
    'event_duration_hour',
    'maximum',
    'is too large: the event would end after the year 9999; set a shorter duration',
  );
}

function refuseEmpty(start: Moment | undefined, end: Moment | undefined, field: string): void {
  const from = start && instantOf(start.time, start.timeZone);
  const to = end && instantOf(end.time, end.timeZone);
  if (from === undefined || to === undefined || from < to) return;
  throw invalidField(
    field,
    'before',
    'must make the event end after its start; set a later end or a longer duration',
  );
}

function blamed(input: TimeInput): string {
  if (input.end_datetime !== undefined) return 'end_datetime';
  return minutesOf(input) === undefined ? 'start_datetime' : 'event_duration_minutes';
}

const written = ({ time, timeZone }: Moment) => ({
  dateTime: printDateTime(time),
  ...(timeZone === undefined ? {} : { timeZone }),
});

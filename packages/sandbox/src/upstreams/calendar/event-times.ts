import { formatDate, formatDateTime, instantOf, parseDate, parseDateTime, wallAt } from '../../zoned-time.js';
import type { CalendarRecord, EventRecord, EventTime } from './state.js';

/**
 * Start and end of an event in epoch milliseconds. All-day events begin at midnight in the time zone of the calendar.
 */
export type Span = ReturnType<typeof spanOf>;

export function spanOf(event: Pick<EventRecord, 'start' | 'end'>, { timeZone }: CalendarRecord) {
  return { from: momentOf(event.start, timeZone), to: momentOf(event.end, timeZone) };
}

export function momentOf({ date, dateTime, timeZone }: EventTime, calendarZone: string): number {
  if (date !== undefined) return instantOf(parseDate(date) ?? 0, calendarZone);
  const parsed = parseDateTime(dateTime ?? '');
  return parsed?.instant ?? instantOf(parsed?.wall ?? 0, timeZone ?? calendarZone);
}

export const isAllDay = ({ start }: Pick<EventRecord, 'start'>): boolean => start.date !== undefined;

export const zoneOf = ({ start }: Pick<EventRecord, 'start'>, calendar: CalendarRecord): string =>
  start.timeZone ?? calendar.timeZone;

export function wallStart(event: EventRecord, calendar: CalendarRecord): number {
  if (event.start.date !== undefined) return parseDate(event.start.date) ?? 0;
  return wallAt(momentOf(event.start, calendar.timeZone), zoneOf(event, calendar));
}

export function presentTime(time: EventTime, calendarZone: string, requestedZone?: string): EventTime {
  if (time.date !== undefined) return { date: time.date };
  const moment = momentOf(time, calendarZone);
  return {
    dateTime: formatDateTime(moment, requestedZone ?? calendarZone),
    timeZone: time.timeZone ?? calendarZone,
  };
}

export function timeAt(model: EventTime, moment: number, zone: string): EventTime {
  if (model.date !== undefined) return { date: formatDate(moment) };
  return { dateTime: formatDateTime(moment, zone), timeZone: zone };
}

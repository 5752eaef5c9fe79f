import { isObject } from '../../json.js';
import { invalid } from './api-error.js';
import type { CalendarRecord, Fields } from './state.js';

const MOST_LABELS = 200;
const COLOR = /^#[0-9a-f]{6}$/i;
const DAYS: readonly unknown[] = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const MINUTES_OF_DAY = 24 * 60;

/** Replaces the event labels and the working hours of a calendar. Absent properties stay unchanged. */
export function applyProperties(calendar: CalendarRecord, { labelProperties, workingHours }: Fields): void {
  if (isObject(labelProperties) && labelProperties.eventLabels !== undefined)
    calendar.labels = readLabels(labelProperties.eventLabels);
  if (!isObject(workingHours) || Object.keys(workingHours).length === 0) return;
  if (!calendar.isPrimary) throw invalid('Only a primary calendar has working hours.');
  calendar.workingHours = readWorkingHours(workingHours);
}

export const presentProperties = ({ labels, workingHours }: CalendarRecord): Fields => ({
  ...(labels === undefined ? {} : { labelProperties: { eventLabels: labels } }),
  ...(workingHours === undefined ? {} : { workingHours }),
});

function readLabels(value: unknown): Fields[] {
  if (!Array.isArray(value) || value.length > MOST_LABELS)
    throw invalid(`"eventLabels" must be a list of at most ${MOST_LABELS} event labels.`);
  return value.map(readLabel);
}

function readLabel(value: unknown): Fields {
  const { id, backgroundColor, name } = isObject(value) ? value : {};
  if (typeof id !== 'string' || id === '') throw invalid('Invalid event label id.');
  if (typeof backgroundColor !== 'string' || !COLOR.test(backgroundColor))
    throw invalid('Invalid event label color.');
  return { id, backgroundColor, ...(typeof name === 'string' ? { name } : {}) };
}

function readWorkingHours({ workingHoursEnabled = false, availableTimes = [] }: Fields): Fields {
  if (typeof workingHoursEnabled !== 'boolean' || !Array.isArray(availableTimes))
    throw invalid('Invalid working hours.');
  if (workingHoursEnabled && availableTimes.length === 0)
    throw invalid('Working hours cannot be enabled without available times.');
  return { workingHoursEnabled, availableTimes: availableTimes.map(readPeriod) };
}

function readPeriod(value: unknown): Fields {
  const { dayOfWeek, periodStart, periodEnd } = isObject(value) ? value : {};
  if (!DAYS.includes(dayOfWeek)) throw invalid('Invalid day of the week.');
  const isPeriod = isMinute(periodStart) && isMinute(periodEnd) && Number(periodStart) < Number(periodEnd);
  if (!isPeriod) throw invalid('Invalid period.');
  return { dayOfWeek, periodStart, periodEnd };
}

const isMinute = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MINUTES_OF_DAY;

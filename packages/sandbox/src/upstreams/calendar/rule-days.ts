import { DAY } from '../../zoned-time.js';
import type { DayOfWeek, Rule } from './rrule.js';

/** The days of a rule, as midnights on the wall, in order and without end; the caller stops. */
export function* ruleDays(rule: Rule, firstDay: number): Generator<number> {
  for (let step = 0; step < MAX_PERIODS; step += 1) {
    const days = [...new Set(periodDays(rule, firstDay, step * rule.interval))].sort((a, b) => a - b);
    const chosen =
      rule.bySetPosition.length === 0
        ? days
        : rule.bySetPosition.flatMap((position) => days.at(position > 0 ? position - 1 : position) ?? []);
    yield* chosen.sort((a, b) => a - b).filter((day) => day >= firstDay);
  }
}

// Ten thousand periods: 27 years of days. A rule that never matches must end too.
const MAX_PERIODS = 10_000;

function periodDays(rule: Rule, firstDay: number, offset: number): number[] {
  switch (rule.frequency) {
    case 'DAILY':
      return [firstDay + offset * DAY].filter((day) => fits(rule, day));
    case 'WEEKLY':
      return weekDays(rule, firstDay, offset);
    case 'MONTHLY':
      return monthDays(rule, firstDay, monthOf(firstDay) + offset);
    case 'YEARLY':
      return yearDays(rule, firstDay, offset);
  }
}

function fits(rule: Rule, day: number): boolean {
  const date = new Date(day);
  if (rule.byMonth.length > 0 && !rule.byMonth.includes(date.getUTCMonth() + 1)) return false;
  if (rule.byDay.length > 0 && !rule.byDay.some((one) => one.day === date.getUTCDay())) return false;
  return rule.byMonthDay.length === 0 || rule.byMonthDay.includes(date.getUTCDate());
}

function weekDays(rule: Rule, firstDay: number, offset: number): number[] {
  const sinceStart = (new Date(firstDay).getUTCDay() - rule.weekStart + 7) % 7;
  const start = firstDay - sinceStart * DAY + offset * 7 * DAY;
  const wanted =
    rule.byDay.length === 0 ? [new Date(firstDay).getUTCDay()] : rule.byDay.map(({ day }) => day);
  const days = wanted.map((day) => start + ((day - rule.weekStart + 7) % 7) * DAY);
  return days.filter(
    (day) => rule.byMonth.length === 0 || rule.byMonth.includes(new Date(day).getUTCMonth() + 1),
  );
}

/** Months since year 0, so that they can be counted. */
function monthOf(day: number): number {
  const date = new Date(day);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function monthDays(rule: Rule, firstDay: number, month: number): number[] {
  if (rule.byMonth.length > 0 && !rule.byMonth.includes((month % 12) + 1)) return [];
  const all = daysOfMonth(month);
  if (rule.byDay.length > 0) {
    const named = rule.byDay.flatMap((one) => pick(one, all));
    return rule.byMonthDay.length === 0
      ? named
      : named.filter((day) => rule.byMonthDay.includes(new Date(day).getUTCDate()));
  }
  const numbers = rule.byMonthDay.length === 0 ? [new Date(firstDay).getUTCDate()] : rule.byMonthDay;
  return numbers.flatMap((number) => all.at(number > 0 ? number - 1 : number) ?? []);
}

function daysOfMonth(month: number): number[] {
  const year = Math.floor(month / 12);
  const length = new Date(Date.UTC(year, (month % 12) + 1, 0)).getUTCDate();
  return Array.from({ length }, (_, index) => Date.UTC(year, month % 12, index + 1));
}

function pick({ day, ordinal }: DayOfWeek, days: readonly number[]): number[] {
  const matching = days.filter((one) => new Date(one).getUTCDay() === day);
  if (ordinal === undefined) return matching;
  const found = matching.at(ordinal > 0 ? ordinal - 1 : ordinal);
  return found === undefined ? [] : [found];
}

function yearDays(rule: Rule, firstDay: number, offset: number): number[] {
  const year = new Date(firstDay).getUTCFullYear() + offset;
  const everyMonth = Array.from({ length: 12 }, (_, index) => index + 1);
  // Days of the week are counted through the year where no month is named, and days of a month are in all of them.
  if (rule.byMonth.length === 0 && rule.byDay.length > 0 && rule.byMonthDay.length === 0) {
    const all = everyMonth.flatMap((month) => daysOfMonth(year * 12 + month - 1));
    return rule.byDay.flatMap((one) => pick(one, all));
  }
  const unnamed = rule.byMonthDay.length > 0 ? everyMonth : [new Date(firstDay).getUTCMonth() + 1];
  const months = rule.byMonth.length === 0 ? unnamed : rule.byMonth;
  return months.flatMap((month) => monthDays({ ...rule, byMonth: [] }, firstDay, year * 12 + month - 1));
}

import { DAY, instantOf, isZone, wallAt } from '../../zoned-time.js';
import { type DayOfWeek, parseRule, parseUntil, type Rule, type Until } from './rrule.js';

interface Recurrence {
  readonly rules: readonly Rule[];
  readonly exclusionRules: readonly Rule[];
  readonly added: readonly Moment[];
  readonly excluded: readonly Moment[];
}

interface Moment extends Until {
  readonly zone: string | undefined;
}

export function parseRecurrence(lines: readonly string[]): Recurrence | undefined {
  const rules: Rule[] = [];
  const exclusionRules: Rule[] = [];
  const added: Moment[] = [];
  const excluded: Moment[] = [];
  for (const line of lines) {
    const [, name = '', parameters = '', value = ''] =
      /^(RRULE|EXRULE|RDATE|EXDATE)((?:;[^:]*)?):(.+)$/i.exec(line.trim()) ?? [];
    const kind = name.toUpperCase();
    if (kind === 'RRULE' || kind === 'EXRULE') {
      const rule = parseRule(value);
      if (rule === undefined) return undefined;
      (kind === 'RRULE' ? rules : exclusionRules).push(rule);
    } else {
      const moments = kind === '' ? undefined : parseMoments(parameters, value);
      if (moments === undefined) return undefined;
      (kind === 'RDATE' ? added : excluded).push(...moments);
    }
  }
  return { rules, exclusionRules, added, excluded };
}

function parseMoments(parameters: string, value: string): Moment[] | undefined {
  const zone = /;TZID=([^;]+)/i.exec(parameters)?.[1];
  if (zone !== undefined && !isZone(zone)) return undefined;
  const moments = value.split(',').map((text) => parseUntil(text.trim().toUpperCase()));
  return moments.every((moment) => moment !== undefined)
    ? moments.map((moment) => ({ ...moment, zone }))
    : undefined;
}

export interface Series {
  readonly recurrence: Recurrence;
  readonly firstWall: number;
  readonly zone: string;
}

/** Returns the start times of a series as local time, sorted. `before` is an exclusive upper bound. */
export function seriesStarts(series: Series, before: number): number[] {
  const { recurrence, firstWall, zone } = series;
  const starts = new Set<number>([firstWall]);
  for (const rule of recurrence.rules) for (const wall of ruleStarts(rule, series, before)) starts.add(wall);
  for (const moment of recurrence.added) starts.add(wallOf(moment, series));
  for (const rule of recurrence.exclusionRules)
    for (const wall of ruleStarts(rule, series, before)) starts.delete(wall);
  for (const moment of recurrence.excluded) starts.delete(wallOf(moment, series));
  return [...starts].filter((wall) => instantOf(wall, zone) < before).sort((a, b) => a - b);
}

function* ruleStarts(rule: Rule, { firstWall, zone }: Series, before: number): Generator<number> {
  const firstDay = Math.floor(firstWall / DAY) * DAY;
  const timeOfDay = firstWall - firstDay;
  // The first start counts for COUNT even if the rule itself does not match that day.
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  let isFirst = true;
  for (const day of ruleDays(rule, firstDay)) {
    if (isFirst && day !== firstDay) left -= 1;
    isFirst = false;
    const wall = day + timeOfDay;
    if (left <= 0 || isOver(rule.until, wall, zone) || instantOf(wall, zone) >= before) return;
    left -= 1;
    yield wall;
  }
}

function isOver(until: Until | undefined, wall: number, zone: string): boolean {
  if (until === undefined) return false;
  if (until.isDay) return Math.floor(wall / DAY) * DAY > until.wall;
  return until.instant === undefined ? wall > until.wall : instantOf(wall, zone) > until.instant;
}

function wallOf({ wall, instant, isDay, zone: own }: Moment, { firstWall, zone }: Series): number {
  if (isDay) return wall + (firstWall - Math.floor(firstWall / DAY) * DAY);
  if (instant === undefined && own === undefined) return wall;
  return wallAt(instant ?? instantOf(wall, own ?? zone), zone);
}

/**
 * Yields the days of a recurrence rule in order, as local midnights. The sequence can be endless, so the caller must
 * stop.
 */
function* ruleDays(rule: Rule, firstDay: number): Generator<number> {
  for (let step = 0; step < MAX_PERIODS; step += 1) {
    const days = [...new Set(periodDays(rule, firstDay, step * rule.interval))].sort((a, b) => a - b);
    const chosen =
      rule.bySetPosition.length === 0
        ? days
        : rule.bySetPosition.flatMap((position) => days.at(position > 0 ? position - 1 : position) ?? []);
    yield* chosen.sort((a, b) => a - b).filter((day) => day >= firstDay);
  }
}

// Limit for the periods of a rule, because a rule that never matches must end too. It covers 27 years of days.
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

function monthOf(day: number): number {
  const date = new Date(day);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function monthDays(rule: Rule, firstDay: number, month: number): number[] {
  if (rule.byMonth.length > 0 && !rule.byMonth.includes((month % 12) + 1)) return [];
  const all = daysOfMonth(month);
  if (rule.byDay.length > 0) {
    const matches = rule.byDay.flatMap((one) => pick(one, all));
    return rule.byMonthDay.length === 0
      ? matches
      : matches.filter((day) => rule.byMonthDay.includes(new Date(day).getUTCDate()));
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
  const match = matching.at(ordinal > 0 ? ordinal - 1 : ordinal);
  return match === undefined ? [] : [match];
}

function yearDays(rule: Rule, firstDay: number, offset: number): number[] {
  const year = new Date(firstDay).getUTCFullYear() + offset;
  const everyMonth = Array.from({ length: 12 }, (_, index) => index + 1);
  // BYDAY without BYMONTH and BYMONTHDAY counts weekdays through the whole year. BYMONTHDAY without BYMONTH applies to
  // every month.
  if (rule.byMonth.length === 0 && rule.byDay.length > 0 && rule.byMonthDay.length === 0) {
    const all = everyMonth.flatMap((month) => daysOfMonth(year * 12 + month - 1));
    return rule.byDay.flatMap((one) => pick(one, all));
  }
  const unnamed = rule.byMonthDay.length > 0 ? everyMonth : [new Date(firstDay).getUTCMonth() + 1];
  const months = rule.byMonth.length === 0 ? unnamed : rule.byMonth;
  return months.flatMap((month) => monthDays({ ...rule, byMonth: [] }, firstDay, year * 12 + month - 1));
}

import { DAY, instantOf, isZone, wallAt } from '../../zoned-time.js';
import { parseRule, parseUntil, type Rule, type Until } from './rrule.js';
import { ruleDays } from './rule-days.js';

/** A series: rules, and days that are added or left out. */
export interface Recurrence {
  readonly rules: readonly Rule[];
  readonly exclusionRules: readonly Rule[];
  readonly added: readonly Moment[];
  readonly excluded: readonly Moment[];
}

interface Moment extends Until {
  readonly zone: string | undefined;
}

/** Reads the lines of `recurrence`; undefined when one of them is not taken. */
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
  /** The first start, as a clock on the wall. */
  readonly firstWall: number;
  readonly zone: string;
}

/** The starts of a series as clocks on the wall, in order, up to but not including an instant. */
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
  // The first start counts, even where the rule itself would not name it.
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

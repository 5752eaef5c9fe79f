const DAY = 24 * 3600 * 1000;

/** Relative dates that a filter condition accepts instead of an ISO 8601 date. */
export const RELATIVE_DATES = [
  'today',
  'tomorrow',
  'yesterday',
  'one_week_ago',
  'one_week_from_now',
  'one_month_ago',
  'one_month_from_now',
] as const;

function dayOf(word: string, now: number): string {
  const day = Math.floor(now / DAY) * DAY;
  const days: Readonly<Record<string, number>> = {
    today: day,
    tomorrow: day + DAY,
    yesterday: day - DAY,
    one_week_ago: day - 7 * DAY,
    one_week_from_now: day + 7 * DAY,
    one_month_ago: shift(day, { months: -1 }),
    one_month_from_now: shift(day, { months: 1 }),
  };
  const time = days[word];
  return time === undefined ? word : new Date(time).toISOString().slice(0, 10);
}

/** Returns true if a date value matches a filter condition. A condition without a time covers the whole day. */
export function matchDate(
  value: string,
  { operator, operand: given, now }: { operator: string; operand: string; now: number },
): boolean {
  const operand = dayOf(given, now);
  const window = windowOf(operator, now);
  if (window !== undefined) return Date.parse(value) >= window.from && Date.parse(value) < window.to;
  const isDay = operand.length === 10;
  const left = isDay ? Date.parse(value.slice(0, 10)) : Date.parse(value);
  const right = Date.parse(operand);
  switch (operator) {
    case 'equals':
      return left === right;
    case 'before':
      return left < right;
    case 'after':
      return left > right;
    case 'on_or_before':
      return left <= right;
    default:
      return left >= right;
  }
}

function windowOf(operator: string, now: number) {
  const day = Math.floor(now / DAY) * DAY;
  const tomorrow = day + DAY;
  switch (operator) {
    case 'past_week':
      return { from: day - 7 * DAY, to: tomorrow };
    case 'past_month':
      return { from: shift(day, { months: -1 }), to: tomorrow };
    case 'past_year':
      return { from: shift(day, { months: -12 }), to: tomorrow };
    case 'this_week': {
      const sunday = day - new Date(day).getUTCDay() * DAY;
      return { from: sunday, to: sunday + 7 * DAY };
    }
    case 'next_week':
      return { from: day, to: tomorrow + 7 * DAY };
    case 'next_month':
      return { from: day, to: shift(tomorrow, { months: 1 }) };
    case 'next_year':
      return { from: day, to: shift(tomorrow, { months: 12 }) };
    default:
      return undefined;
  }
}

function shift(time: number, { months }: { months: number }): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate());
}

export interface TimeRange {
  readonly from: number;
  /** Exclusive end of the range, in epoch milliseconds. */
  readonly to: number;
}

interface RangeInput {
  readonly time_range?: 'this_week' | 'last_week' | 'last_30_days' | 'custom' | undefined;
  readonly custom_start?: string | undefined;
  readonly custom_end?: string | undefined;
}

const DAY = 24 * 3600 * 1000;

/** Returns the requested time range, or an error message. Days are UTC days, and weeks begin on Monday. */
export function timeRange(input: RangeInput, now: number): TimeRange | string {
  const today = Math.floor(now / DAY) * DAY;
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY;
  switch (input.time_range) {
    case 'this_week':
      return { from: monday, to: monday + 7 * DAY };
    case 'last_week':
      return { from: monday - 7 * DAY, to: monday };
    case 'custom':
      return customRange(input);
    default:
      return { from: today - 30 * DAY, to: today + DAY };
  }
}

function customRange({ custom_start, custom_end }: RangeInput): TimeRange | string {
  if (custom_start === undefined || custom_end === undefined)
    return "custom_start and custom_end are required when time_range is 'custom'";
  const from = Date.parse(custom_start);
  const to = Date.parse(custom_end);
  if (Number.isNaN(from) || Number.isNaN(to)) return 'custom_start and custom_end must be ISO dates';
  return from > to ? 'custom_start must not be after custom_end' : { from, to: to + DAY };
}

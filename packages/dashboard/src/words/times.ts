import { grouped } from './numbers.ts';

// The functions below do not use `Intl`, because creating the first formatter takes about 40 ms before the first paint.

const STEPS: readonly (readonly [unit: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
const NEAR_DAYS: Readonly<Record<number, string>> = { [-1]: 'yesterday', 1: 'tomorrow' };
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Formats a time relative to now, such as `3 hours ago`. */
export function since(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const step = STEPS.find(([, each]) => Math.abs(seconds) >= each);
  if (step === undefined) return 'now';
  const [unit, each] = step;
  const count = Math.trunc(seconds / each);
  const near = unit === 'day' ? NEAR_DAYS[count] : undefined;
  if (near !== undefined) return near;
  const amount = `${grouped(Math.abs(count))} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;
  return count < 0 ? `${amount} ago` : `in ${amount}`;
}

/** Formats a date as `24 Nov`. */
export const dayOf = (at: Date): string => `${at.getDate()} ${MONTHS[at.getMonth()]}`;

/** Formats a time as `09:05`. */
export const hourOf = (at: Date): string => `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;

/** Formats a date and time as `24 Nov 2026, 09:05`. */
export const minuteOf = (at: Date): string => `${dayOf(at)} ${at.getFullYear()}, ${hourOf(at)}`;

/** Formats a date and time as `24 Nov 2026, 09:05:07`. */
export const secondOf = (at: Date): string => `${minuteOf(at)}:${twoDigits(at.getSeconds())}`;

const DAY_MS = 86_400_000;

/** Formats a time as `09:05`, or with its date if it is more than a day ago. */
export function clockOf(at: string, now: number): string {
  const time = new Date(at);
  return now - time.getTime() < DAY_MS ? hourOf(time) : minuteOf(time);
}

/** Formats a duration, such as `12 ms`, `1.5 s`, `2 min 5 s` or `5 h 20 min`. */
export function duration(ms: number): string {
  // Rounds before choosing the unit, so that 59.96 s becomes 1 min and not 60.0 s.
  const [whole, tenths, seconds] = [Math.round(ms), Math.round(ms / 100), Math.round(ms / 1000)];
  if (whole < 1000) return `${whole} ms`;
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Matches a complete ISO 8601 time that stands alone in curly quotation marks or parentheses. */
const WHOLE_TIME =
  /(?<=[“(])\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?(?=[”)])/g;

/**
 * Formats the times in a sentence as `1 Dec 2026, 09:00` in the time zone of the browser. A time without an offset
 * stays the same time of day. Times inside a title stay unchanged: only a time that stands alone in quotation marks or
 * parentheses is formatted.
 */
export const timesInWords = (sentence: string): string =>
  sentence.replace(WHOLE_TIME, (iso) => {
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return iso;
    return at.getSeconds() === 0 ? minuteOf(at) : secondOf(at);
  });

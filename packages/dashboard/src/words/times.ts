import { grouped } from './numbers.ts';

// Implemented without `Intl`, because its first formatter takes about 40 ms before the first paint.

const STEPS: readonly (readonly [unit: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
const NEAR_DAYS: Readonly<Record<number, string>> = { [-1]: 'yesterday', 1: 'tomorrow' };
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** A time relative to now: `3 hours ago`. */
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

/** `24 Nov` */
export const dayOf = (at: Date): string => `${at.getDate()} ${MONTHS[at.getMonth()]}`;

/** `09:05` */
export const hourOf = (at: Date): string => `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;

/** `24 Nov 2026, 09:05` */
export const minuteOf = (at: Date): string => `${dayOf(at)} ${at.getFullYear()}, ${hourOf(at)}`;

/** `24 Nov 2026, 09:05:07` */
export const secondOf = (at: Date): string => `${minuteOf(at)}:${twoDigits(at.getSeconds())}`;

/** A duration in words: `12 ms`, `1.5 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

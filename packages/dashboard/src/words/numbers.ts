// Implemented without `Intl`, because its first formatter takes about 40 ms before the first paint.

/** A whole number from 0 on with its thousands apart: 12,345. */
export function grouped(number: number): string {
  const digits = String(number);
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

/** A part of the whole, to a tenth of a percent. */
export const percentage = (share: number): string => `${Math.round(share * 1000) / 10}%`;

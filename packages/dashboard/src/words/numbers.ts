// Implemented without `Intl`, because its first formatter takes about 40 ms before the first paint.

/** A whole number of 0 or more with thousands separators: 12,345. */
export function grouped(number: number): string {
  const digits = String(number);
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

/** A share from 0 to 1 as a percentage, rounded to one decimal. */
export const percentage = (share: number): string => `${Math.round(share * 1000) / 10}%`;

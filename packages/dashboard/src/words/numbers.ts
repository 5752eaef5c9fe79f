// The functions below do not use `Intl`, because creating the first formatter takes about 40 ms before the first paint.

/** Formats a whole number of 0 or more with thousands separators, such as 12,345. */
export function grouped(number: number): string {
  const digits = String(number);
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

/** Describes the number of rows of a list, such as 10,000 or more in total. `more`: the list has further rows. */
export const totalWords = ({ count, more }: { readonly count: number; readonly more: boolean }): string =>
  `${grouped(count)}${more ? ' or more' : ''} in total`;

/** Formats a fraction from 0 to 1 as a percentage with at most one decimal. */
export const percentage = (share: number): string => `${Math.round(share * 1000) / 10}%`;

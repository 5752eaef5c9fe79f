// Written out, because the first formatter of `Intl` in a page takes about 40 ms, before anything is painted.

/** A whole number with its thousands apart: 12,345. */
export const grouped = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A part of the whole, to a tenth of a percent. */
export const percentage = (share: number): string => `${Math.round(share * 1000) / 10}%`;

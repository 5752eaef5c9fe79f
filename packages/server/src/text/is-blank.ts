/** Returns true for `null` and for a text of spaces only, which some servers send for an absent value. */
export const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

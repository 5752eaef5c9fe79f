/**
 * Character that sorts after all others. A prefix followed by this character sorts after all texts with that prefix.
 */
export const LAST_CHARACTER = '\u{10ffff}';

/** Converts a text to lower case, because searches ignore case. */
export const searchKeyOf = (text: string): string => text.toLowerCase();

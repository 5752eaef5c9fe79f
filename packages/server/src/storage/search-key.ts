/**
 * Character that sorts after all others. A prefix with this character appended is the upper bound of all texts with
 * that prefix.
 */
export const LAST_CHARACTER = '\u{10ffff}';

/** Converts a text to lower case, because searches ignore case. */
export const searchKeyOf = (text: string): string => text.toLowerCase();

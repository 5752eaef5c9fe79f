/** Character that sorts after every other, which ends the range of texts with a common prefix. */
export const LAST_CHARACTER = '\u{10ffff}';

/** Returns the form of a text that searches compare, so that upper and lower case find each other. */
export const searchKeyOf = (text: string): string => text.toLowerCase();

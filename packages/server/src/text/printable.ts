// What moves a cursor, changes a terminal, ends a line or turns text around. Outsiders choose names, and upstreams words.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Text for one line of a terminal, a log or a file, with such characters as in JSON. */
export const printableLine = (text: string): string =>
  text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for text that has lines. */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n');

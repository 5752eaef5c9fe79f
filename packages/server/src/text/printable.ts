// Characters that move a cursor, control a terminal, end a line or reverse text. Outsiders choose names, and upstreams messages.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Escapes such characters as JSON does, for one line of a terminal, a log or a file. */
export const printableLine = (text: string): string =>
  text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Escapes control characters in text with several lines. Line breaks stay. */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n');

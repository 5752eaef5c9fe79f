// Characters that move the cursor, control a terminal, break a line or reverse the text direction. Names from callers
// and messages from upstreams can contain them.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Escapes line breaks and characters that control a terminal or reverse the text direction, as JSON does. The result
 * fits on one line of a terminal, log or file.
 */
export const printableLine = (text: string): string =>
  text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Escapes characters that could control a terminal or reverse the text direction, in text of several lines. Line breaks
 * are kept.
 */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n');

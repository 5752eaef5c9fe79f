/**
 * Returns the replacement for a JSON string, such as a proxy link for an upstream link. Returns `undefined` to keep the
 * string.
 */
export type Rewrite = (value: string) => string | undefined;

/** Size in bytes of the longest JSON spelling of a character: a `\u` escape. */
export const ESCAPE_BYTES = 6;
/**
 * Maximum size in bytes of a JSON string that is rewritten: 16,384 characters, each written as a `\u` escape. A longer
 * string is not a link that a client could follow.
 */
export const MAX_VALUE_BYTES = ESCAPE_BYTES * 16 * 1024;

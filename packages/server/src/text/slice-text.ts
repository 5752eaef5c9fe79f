const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Returns the index of a cut. Moves the cut back by one UTF-16 code unit if it would split a surrogate pair. */
export const cutAt = (text: string, at: number): number =>
  isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;

/**
 * Returns the part of a text from index `start` to index `end`, as `slice` does, but never splits a surrogate pair.
 * Both indexes count from 0. A pair at a cut belongs to the part after the cut.
 */
export const sliceText = (text: string, start: number, end: number): string =>
  text.slice(cutAt(text, start), cutAt(text, end));

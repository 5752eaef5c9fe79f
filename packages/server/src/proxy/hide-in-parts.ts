import type { Edit } from './edit-json.js';

/** Overwrites what has to be hidden in a body that comes in chunks; its length stays the same. */
export type Hiding = Edit;

export const HIDDEN_NAME = 'authorization';
/** Takes its place, as long as it. */
export const COVER_NAME = 'x-svc-removed';
export const COVER = 0x2d;
export const NOTHING: Buffer = Buffer.alloc(0);

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
const AFTER_NAME = [0x3a, 0x20, 0x09];
const isFold = (byte: number): boolean => byte === 0x20 || byte === 0x09;
const lowerCase = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

/** The head of a part, then that of the request in it after empty lines, then its body. */
type Place = 'part' | 'before' | 'request' | 'body';

/**
 * Hides the credentials of requests inside of a multipart body. Whatever begins with two dashes may be a boundary: what a
 * lenient reader could take for the head of a part or of a request is looked through, whichever boundary it goes by.
 */
export function hideInParts(): Hiding {
  let held = NOTHING;
  let place: Place = 'body';
  let column = 0;
  let matched = 0;
  let isBoundary = false;
  let isHidden = false;
  let wasHidden = false;
  let isAfterCr = false;

  function endLine(isWhole: boolean): void {
    if (column === 0) {
      // Only an empty line ends a head: a reader that takes a lone CR for one finds everything hidden that follows.
      if (isWhole && place !== 'body') place = place === 'request' ? 'body' : 'before';
    } else if (isBoundary && column > 1) place = 'part';
    else if (place === 'before') place = 'request';
    wasHidden = isHidden;
    isHidden = false;
    column = 0;
    matched = 0;
  }

  /** Gives what stands there instead, of a byte that ends no line. */
  function look(bytes: Buffer, at: number): void {
    const byte = bytes[at] ?? 0;
    if (column === 0) isHidden = wasHidden && isFold(byte);
    if (column < 2) isBoundary = byte === DASH && (column === 0 || isBoundary);
    if (isHidden) {
      if (!AFTER_NAME.includes(byte)) bytes[at] = COVER;
    } else if (place !== 'body' && matched === column) {
      if (column === HIDDEN_NAME.length && AFTER_NAME.includes(byte)) {
        bytes.write(COVER_NAME, at - HIDDEN_NAME.length, 'latin1');
        isHidden = true;
      } else if (lowerCase(byte) === HIDDEN_NAME.charCodeAt(column)) matched += 1;
    }
    column += 1;
  }

  return {
    take: (chunk) => {
      const bytes = Buffer.concat([held, chunk]);
      for (let at = held.length; at < bytes.length; at += 1) {
        const byte = bytes[at];
        if (isAfterCr && byte !== LF) endLine(false);
        isAfterCr = byte === CR;
        if (byte === LF) endLine(true);
        else if (byte !== CR) look(bytes, at);
      }
      // A name that is not whole yet, or whose colon is still to come.
      const open = !isHidden && matched === column ? matched : 0;
      held = bytes.subarray(bytes.length - open);
      return bytes.subarray(0, bytes.length - open);
    },
    rest: () => held,
  };
}

import type { Edit } from '../http/edit.js';

export const HIDDEN_NAME = 'authorization';
/**
 * Header name that replaces `authorization` inside a batch body. Both names have 13 characters, because the length of
 * the body must not change.
 */
export const COVER_NAME = 'x-svc-removed';
export const COVER = 0x2d;
export const NOTHING: Buffer = Buffer.alloc(0);

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
const AFTER_NAME = [0x3a, 0x20, 0x09];
const isFold = (byte: number): boolean => byte === 0x20 || byte === 0x09;
const lowerCase = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

/**
 * Section of a multipart batch body, whose parts contain HTTP requests. `part`: headers of a part. `before`: empty
 * lines after these headers. `request`: headers of the HTTP request. `body`: anything else.
 */
type Section = 'part' | 'before' | 'request' | 'body';

/**
 * Overwrites the Authorization headers in a multipart batch body, because the upstream must not see the caller's
 * credentials. The length of the body does not change. The edit searches every line that could be a header, because
 * some upstreams accept any line that begins with two dashes as a boundary.
 */
export function hideInParts(): Edit {
  let buffered = NOTHING;
  let section: Section = 'body';
  let column = 0;
  let matched = 0;
  let isBoundary = false;
  let isHidden = false;
  let wasHidden = false;
  let isAfterCr = false;

  function endLine(isWhole: boolean): void {
    if (column === 0) {
      // Ends the headers of a part only at an empty line that ends with LF. A parser that also accepts a lone CR ends
      // them earlier, so it sees all credentials overwritten too.
      if (isWhole && section !== 'body') section = section === 'request' ? 'body' : 'before';
    } else if (isBoundary && column > 1) section = 'part';
    else if (section === 'before') section = 'request';
    wasHidden = isHidden;
    isHidden = false;
    column = 0;
    matched = 0;
  }

  /**
   * Overwrites one byte of a multipart body if it belongs to the value of an Authorization header. Renames the header
   * when its name is complete.
   */
  function cover(bytes: Buffer, at: number): void {
    const byte = bytes[at] ?? 0;
    if (column === 0) isHidden = wasHidden && isFold(byte);
    if (column < 2) isBoundary = byte === DASH && (column === 0 || isBoundary);
    if (isHidden) {
      if (!AFTER_NAME.includes(byte)) bytes[at] = COVER;
    } else if (section !== 'body' && matched === column) {
      if (column === HIDDEN_NAME.length && AFTER_NAME.includes(byte)) {
        bytes.write(COVER_NAME, at - HIDDEN_NAME.length, 'latin1');
        isHidden = true;
      } else if (lowerCase(byte) === HIDDEN_NAME.charCodeAt(column)) matched += 1;
    }
    column += 1;
  }

  return {
    take: (chunk) => {
      const bytes = Buffer.concat([buffered, chunk]);
      for (let at = buffered.length; at < bytes.length; at += 1) {
        const byte = bytes[at];
        if (isAfterCr && byte !== LF) endLine(false);
        isAfterCr = byte === CR;
        if (byte === LF) endLine(true);
        else if (byte !== CR) cover(bytes, at);
      }
      // Keeps the last bytes of the chunk until the next one if they may begin the header name `authorization`.
      const open = !isHidden && matched === column ? matched : 0;
      buffered = bytes.subarray(bytes.length - open);
      return bytes.subarray(0, bytes.length - open);
    },
    rest: () => buffered,
  };
}

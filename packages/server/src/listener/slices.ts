import { Readable } from 'node:stream';

/** Longer answers go out slice by slice: whether a caller takes one that is written at once cannot be seen before its end. */
export const SLICE = 64 * 1024;

export function toSlices(bytes: Buffer): Readable {
  let sent = 0;
  return new Readable({
    highWaterMark: SLICE,
    read() {
      this.push(sent < bytes.length ? bytes.subarray(sent, sent + SLICE) : null);
      sent += SLICE;
    },
  });
}

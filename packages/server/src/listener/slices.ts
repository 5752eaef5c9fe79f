import { Readable } from 'node:stream';

/** Bytes of one slice. A longer response is sent in slices, because a response that is written at once hides until its end whether the caller reads it. */
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

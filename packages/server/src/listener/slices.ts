import { Readable } from 'node:stream';

/**
 * Size of one slice of a response body, in bytes. A longer body is written slice by slice, so that the service can see
 * whether the client reads. After a single large write, this is visible only at the end.
 */
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

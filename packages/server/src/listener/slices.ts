import { Readable } from 'node:stream';

/**
 * Size of one slice in bytes. A longer response is sent in slices, so that the service can see whether the client
 * reads. A single large write shows that only at its end.
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

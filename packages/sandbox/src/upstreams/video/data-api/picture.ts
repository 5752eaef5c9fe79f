import { refuse } from '../refusals.js';
import type { Call } from './call.js';
import { mediaOf } from './media.js';

export interface Picture {
  readonly width: number;
  readonly height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_HEADER = 24;
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** The picture that a call sends; what is none is refused. */
export function pictureOf(call: Call, reason = 'invalidImage'): Picture {
  const { bytes } = mediaOf(call);
  const picture = readPng(bytes) ?? readJpeg(bytes);
  if (picture !== undefined && picture.width > 0 && picture.height > 0) return picture;
  throw refuse(400, reason, 'The provided image content is invalid.');
}

function readPng(bytes: Buffer): Picture | undefined {
  if (bytes.length < PNG_HEADER || !bytes.subarray(0, PNG.length).equals(PNG)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

// A JPEG is a row of segments, each with its length; one of those that begin a frame has the size.
function readJpeg(bytes: Buffer): Picture | undefined {
  if (!bytes.subarray(0, JPEG.length).equals(JPEG)) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc3)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}

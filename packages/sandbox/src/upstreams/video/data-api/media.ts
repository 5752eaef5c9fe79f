import { ApiError } from '../../../google/api-error.js';
import { isObject, parseJson } from '../../../json.js';
import { refuse } from '../refusals.js';
import type { Fields } from '../world.js';

export interface Media {
  readonly type: string;
  readonly bytes: Buffer;
}

interface WithMedia {
  readonly media?: Media;
}

export interface TakenFiles {
  /** Accepted media types. `*` accepts all types. */
  readonly types: readonly string[];
  readonly most: number;
}

const MEGABYTE = 1024 * 1024;
const PICTURES = ['image/jpeg', 'image/png', 'application/octet-stream'];

export const pictures = (megabytes: number): TakenFiles => ({ types: PICTURES, most: megabytes * MEGABYTE });
export const anyFile = (megabytes: number): TakenFiles => ({ types: ['*'], most: megabytes * MEGABYTE });

export function mediaOf({ media }: WithMedia, reason = 'mediaBodyRequired'): Media {
  if (media !== undefined && media.bytes.length > 0) return media;
  throw refuse(400, reason, 'The request does not include the content of the file.');
}

export function checkMedia({ type, bytes }: Media, { types, most }: TakenFiles): void {
  const essence = type.toLowerCase().split(';')[0]?.trim() ?? '';
  const isTaken = types.some((one) => one === '*' || one === essence || one === `${essence.split('/')[0]}/*`);
  if (!isTaken)
    throw new ApiError(
      400,
      'badContent',
      `Media type '${essence}' is not supported. Valid media types: [${types.join(', ')}]`,
    );
  if (bytes.length > most) throw tooLarge(most);
}

export const tooLarge = (most: number): ApiError =>
  new ApiError(413, 'uploadTooLarge', `The file is larger than ${most} bytes, which are the most.`);

export function readRelated(body: Buffer, contentType: string): { sent: Fields; media: Media } {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  const parts = boundary === undefined ? [] : partsOf(body, boundary);
  const [first, second] = parts;
  const sent = first === undefined ? undefined : parseJson(first.bytes.toString('utf8'));
  if (second === undefined || parts.length > 2 || !isObject(sent))
    throw new ApiError(400, 'badContent', 'The body must have two parts: JSON, and a file.');
  return { sent, media: second };
}

function partsOf(body: Buffer, boundary: string): Media[] {
  // Latin-1 maps each byte to one character, so positions in the text are byte positions.
  const pieces = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  return pieces.slice(1, -1).map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const type =
      /^content-type:[ \t]*([^\r\n]+)/im.exec(piece.slice(0, end))?.[1] ?? 'application/octet-stream';
    return { type, bytes: Buffer.from(end < 0 ? '' : piece.slice(end + 4), 'latin1') };
  });
}

interface Picture {
  readonly width: number;
  readonly height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_HEADER = 24;
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

export function pictureOf(call: WithMedia, reason = 'invalidImage'): Picture {
  const { bytes } = mediaOf(call);
  const picture = readPng(bytes) ?? readJpeg(bytes);
  if (picture !== undefined && picture.width > 0 && picture.height > 0) return picture;
  throw refuse(400, reason, 'The provided image content is invalid.');
}

function readPng(bytes: Buffer): Picture | undefined {
  if (bytes.length < PNG_HEADER || !bytes.subarray(0, PNG.length).equals(PNG)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

// Reads the size from a JPEG frame header. A JPEG is a sequence of segments, each with its length.
function readJpeg(bytes: Buffer): Picture | undefined {
  if (!bytes.subarray(0, JPEG.length).equals(JPEG)) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc3)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}

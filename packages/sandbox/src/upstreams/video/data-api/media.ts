import { ApiError } from '../../../google/api-error.js';
import { isObject, parseJson } from '../../../json.js';
import { refuse } from '../refusals.js';
import type { Fields } from '../world.js';
import type { Call } from './call.js';

/** A file, and what it says that it is. */
export interface Media {
  readonly type: string;
  readonly bytes: Buffer;
}

/** What a method takes of files. */
export interface TakenFiles {
  /** Media types; a star takes all. */
  readonly types: readonly string[];
  readonly most: number;
}

const MEGABYTE = 1024 * 1024;
const PICTURES = ['image/jpeg', 'image/png', 'application/octet-stream'];

export const pictures = (megabytes: number): TakenFiles => ({ types: PICTURES, most: megabytes * MEGABYTE });
export const anyFile = (megabytes: number): TakenFiles => ({ types: ['*'], most: megabytes * MEGABYTE });

/** The file of a call; one without it is refused. */
export function mediaOf({ media }: Call, reason = 'mediaBodyRequired'): Media {
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

/** What is said of a file, and the file, as they come in one body. */
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
  // Latin 1 has a character for each byte, so that places in the text are places in the bytes.
  const pieces = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  return pieces.slice(1, -1).map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const type =
      /^content-type:[ \t]*([^\r\n]+)/im.exec(piece.slice(0, end))?.[1] ?? 'application/octet-stream';
    return { type, bytes: Buffer.from(end < 0 ? '' : piece.slice(end + 4), 'latin1') };
  });
}

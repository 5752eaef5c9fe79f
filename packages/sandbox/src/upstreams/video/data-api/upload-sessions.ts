import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from '../../../google/api-error.js';
import { type Incoming, sendOutcome } from '../../../google/method.js';
import type { Call, Method } from './call.js';
import { checkMedia, type TakenFiles } from './media.js';

/** A file that comes piece by piece. */
export interface Upload {
  readonly call: Call;
  readonly method: Method;
  readonly takes: TakenFiles;
  /** The query that it began with. */
  readonly query: URLSearchParams;
  readonly type: string;
  readonly pieces: Buffer[];
}

/** Uploads that are under way, by their ids. */
export type Uploads = Map<string, Upload>;

const RESUME_INCOMPLETE = 308;

/** Answers where the pieces go. */
export function openUpload(
  { call, method, takes }: Pick<Upload, 'call' | 'method' | 'takes'>,
  { request, query }: Incoming,
  { reply, origin }: { reply: FastifyReply; origin: string },
): FastifyReply {
  const id = randomBytes(24).toString('base64url');
  const type = String(request.headers['x-upload-content-type'] ?? 'application/octet-stream');
  call.world.uploads.set(id, { call, method, takes, query, type, pieces: [] });
  return reply
    .header('location', `${origin}${request.url}&upload_id=${id}`)
    .header('x-guploader-uploadid', id)
    .send();
}

/** Takes a piece; after the last one the answer is that of the whole file. */
export function continueUpload(
  uploads: Uploads,
  id: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const upload = uploads.get(id);
  if (upload === undefined) throw notFound();
  const { call, method, takes, query, type, pieces } = upload;
  const total = takePiece(upload, request);
  const bytes = Buffer.concat(pieces);
  if (total === undefined || bytes.length < total) {
    if (bytes.length > 0) reply.header('range', `bytes=0-${bytes.length - 1}`);
    return reply.code(RESUME_INCOMPLETE).send();
  }
  uploads.delete(id);
  const media = { type, bytes };
  checkMedia(media, takes);
  return sendOutcome(reply, query, method.handle({ ...call, media }));
}

// Without a range the rest of the file comes at once; `*` asks how much has arrived.
function takePiece({ pieces }: Upload, { headers, body }: FastifyRequest): number | undefined {
  const piece = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const arrived = pieces.reduce((sum, { length }) => sum + length, 0);
  const range = headers['content-range'];
  if (range === undefined) {
    pieces.push(piece);
    return arrived + piece.length;
  }
  const [, first, last, total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(range) ?? [];
  if (total === undefined) throw badRange(range);
  if (first !== undefined) {
    if (Number(first) !== arrived || Number(last) - arrived + 1 !== piece.length) throw badRange(range);
    pieces.push(piece);
  }
  return total === '*' ? undefined : Number(total);
}

const badRange = (range: string): ApiError =>
  new ApiError(400, 'badRequest', `The range does not follow what has arrived: ${range}`);

import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from '../../../google/api-error.js';
import {
  type Api,
  handleErrors,
  type Incoming,
  type Outcome,
  openMethod,
  readJsonBody,
  sendOutcome,
} from '../../../google/method.js';
import type { Fields } from '../world.js';
import type { Call, Method } from './call.js';
import { checkMedia, type Media, readRelated, type TakenFiles, tooLarge } from './media.js';

/** API at the upload URLs. The resource metadata is not always the request body there. */
interface UploadApi extends Omit<Api<Call, Method>, 'read'> {
  readonly origin: string;
  read(incoming: Incoming, method: Method, sent: Fields): Call;
  uploads(): Uploads;
}

/** Adds the upload URLs for the three protocols: media only, multipart with metadata, and resumable. */
export function addUploads(app: FastifyInstance, methods: readonly Method[], api: UploadApi): void {
  const taking = methods.filter(({ takes }) => takes !== undefined);
  for (const [path, there] of Map.groupBy(taking, (one) => one.path))
    app.route({
      method: ['POST', 'PUT'],
      url: api.prefix + path,
      handler: (request, reply) => receive(request, reply, { there, api }),
    });
}

async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  { there, api }: { there: readonly Method[]; api: UploadApi },
): Promise<FastifyReply> {
  const uploadId = new URL(request.url, api.origin).searchParams.get('upload_id');
  // Chunks of a resumable upload are always sent with PUT, even if POST started the upload.
  const method = uploadId === null ? there.find(({ verb }) => verb === request.method) : there[0];
  if (method?.takes === undefined) {
    reply.callNotFound();
    return reply;
  }
  const { takes } = method;
  return handleErrors(reply, api, async () => {
    const incoming = await openMethod(request, method, api);
    if (uploadId !== null) return continueUpload(api.uploads(), uploadId, { request, reply });
    if (incoming.query.get('uploadType') === 'resumable') {
      const call = api.read(incoming, method, readJsonBody(request));
      return openUpload({ call, method, takes }, incoming, { reply, api });
    }
    const { sent, media } = bodyOf(request, takes);
    const call = api.read(incoming, method, sent);
    return sendOutcome(reply, incoming.query, method.handle({ ...call, media }));
  });
}

function bodyOf({ body, headers }: FastifyRequest, takes: TakenFiles): { sent: Fields; media: Media } {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const type = headers['content-type'] ?? 'application/octet-stream';
  const isRelated = /^multipart\/related\b/i.test(type);
  const read = isRelated ? readRelated(bytes, type) : { sent: {}, media: { type, bytes } };
  checkMedia(read.media, takes);
  return read;
}

interface Upload {
  readonly call: Call;
  readonly method: Method;
  readonly takes: TakenFiles;
  readonly query: URLSearchParams;
  readonly type: string;
  /** Size of the file in bytes, as X-Upload-Content-Length announced it. */
  readonly announced: number | undefined;
  readonly pieces: Buffer[];
  received: number;
  /** Response of a complete upload. Later status requests get it again. */
  outcome?: Outcome;
}

export type Uploads = Map<string, Upload>;

const RESUME_INCOMPLETE = 308;
/** Limit for the bytes of all unfinished uploads together. Each upload counts 1 MiB plus its received bytes. */
const MAX_BUFFERED = 256 * 1024 * 1024;
const MIN_BUFFERED = 1024 * 1024;
/** Size in bytes of which every piece but the last must be a multiple. */
const PIECE_UNIT = 256 * 1024;
const STATUS_REQUEST = /^bytes \*\/(\d+|\*)$/;

const bufferedBytes = ({ received }: Pick<Upload, 'received'>): number => MIN_BUFFERED + received;

/**
 * Deletes the oldest uploads to stay below the memory limit. Their next request gets the error for an unknown upload.
 */
function makeRoom(uploads: Uploads, more: number, own?: string): void {
  let buffered = [...uploads.values()].reduce((sum, upload) => sum + bufferedBytes(upload), more);
  for (const [id, upload] of uploads) {
    if (buffered <= MAX_BUFFERED) return;
    if (id === own) continue;
    uploads.delete(id);
    buffered -= bufferedBytes(upload);
  }
  if (buffered > MAX_BUFFERED) throw tooLarge(MAX_BUFFERED);
}

function openUpload(
  { call, method, takes }: Pick<Upload, 'call' | 'method' | 'takes'>,
  { request, query }: Incoming,
  { reply, api }: { reply: FastifyReply; api: UploadApi },
): FastifyReply {
  const id = randomBytes(24).toString('base64url');
  const type = String(request.headers['x-upload-content-type'] ?? 'application/octet-stream');
  const length = request.headers['x-upload-content-length'];
  const announced = length === undefined ? undefined : Number(length);
  if (announced !== undefined && !(Number.isSafeInteger(announced) && announced >= 0))
    throw new ApiError(400, 'badRequest', 'X-Upload-Content-Length must be a number of bytes.');
  checkMedia({ type, bytes: Buffer.alloc(0) }, takes);
  if ((announced ?? 0) > takes.most) throw tooLarge(takes.most);
  const uploads = api.uploads();
  makeRoom(uploads, MIN_BUFFERED);
  uploads.set(id, { call, method, takes, query, type, announced, pieces: [], received: 0 });
  return reply
    .header('location', `${api.origin}${request.url}&upload_id=${id}`)
    .header('x-guploader-uploadid', id)
    .send();
}

function continueUpload(
  uploads: Uploads,
  id: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const upload = uploads.get(id);
  if (upload === undefined) throw notFound();
  const { call, method, takes, query, type, pieces } = upload;
  if (upload.outcome !== undefined) {
    if (!STATUS_REQUEST.test(request.headers['content-range'] ?? '')) throw notFound();
    return sendOutcome(reply, query, upload.outcome);
  }
  const total = takePiece(uploads, id, { upload, request });
  if (total === undefined || upload.received < total) {
    if (upload.received > 0) reply.header('range', `bytes=0-${upload.received - 1}`);
    return reply.code(RESUME_INCOMPLETE).send();
  }
  uploads.delete(id);
  const media = { type, bytes: Buffer.concat(pieces) };
  checkMedia(media, takes);
  const outcome = method.handle({ ...call, media });
  uploads.set(id, { ...upload, pieces: [], received: 0, outcome });
  return sendOutcome(reply, query, outcome);
}

function takePiece(
  uploads: Uploads,
  id: string,
  { upload, request: { headers, body } }: { readonly upload: Upload; readonly request: FastifyRequest },
): number | undefined {
  const piece = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const range = headers['content-range'];
  const { received, takes, announced } = upload;
  const { isPiece, total } = readRange(range, { received, length: piece.length });
  if (total !== undefined && announced !== undefined && total !== announced)
    throw new ApiError(400, 'badRequest', `The file was announced with ${announced} bytes, not ${total}.`);
  if (Math.max(total ?? 0, received + piece.length) > takes.most) throw tooLarge(takes.most);
  const isEnd = received + piece.length === total;
  if (isPiece && !isEnd && piece.length % PIECE_UNIT !== 0)
    throw new ApiError(
      400,
      'badRequest',
      `Only the last piece may have another size than n * ${PIECE_UNIT}.`,
    );
  if (isPiece) {
    makeRoom(uploads, piece.length, id);
    upload.pieces.push(piece);
    upload.received += piece.length;
  }
  return total;
}

// Parses the Content-Range of a chunk. Without the header, the rest of the file follows; `*` only requests the received
// byte count.
function readRange(
  range: string | undefined,
  { received, length }: { readonly received: number; readonly length: number },
): { isPiece: boolean; total: number | undefined } {
  if (range === undefined) return { isPiece: true, total: received + length };
  const [, first, last, total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(range) ?? [];
  const isWithin = total === '*' || Number(last) < Number(total);
  const isNext = isWithin && Number(first) === received && Number(last) - received + 1 === length;
  if (total === undefined || (first !== undefined && !isNext)) throw badRange(range);
  return { isPiece: first !== undefined, total: total === '*' ? undefined : Number(total) };
}

const badRange = (range: string): ApiError =>
  new ApiError(400, 'badRequest', `The range does not follow what has arrived: ${range}`);

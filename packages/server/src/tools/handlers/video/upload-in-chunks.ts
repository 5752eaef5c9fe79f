import { NO_MEMORY } from '../../../concurrency/body-memory.js';
import { ServiceError } from '../../../errors.js';
import type { HandlerContext, LinkedChunk, LinkedFile, UpstreamRequest } from '../../handler.js';
import { partialFailure } from '../../partial-failure.js';

/** Bytes of one request. The upstream demands a multiple of 256 KiB, except for the last request. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const CHUNK_TIMEOUT_MS = 60_000;
/** Number of attempts to send a chunk that bring no progress. */
const MAX_FAILURES = 3;
const PAUSE_MS = 1000;
const INCOMPLETE = 308;
const NONE = 'No video was created.';

type Metadata = Pick<UpstreamRequest, 'path' | 'query' | 'body'>;
type Context = Pick<HandlerContext, 'exchange' | 'sleep'>;

/** State of the upload: the response of a complete upload, or the number of bytes that the upstream has stored. */
type Progress = { readonly video: unknown } | { readonly stored: number };

/** Upload session of the upstream. */
interface Session extends Context {
  readonly path: string;
  query: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** True while it is unknown whether the last part of the file has arrived. */
  isUnclear: boolean;
}

const again = (problem: string): string => `The video platform ${problem} ${NONE} Call the tool again.`;

const failed = (problem: string): ServiceError => new ServiceError('upstream_failed', again(problem));

/**
 * Returns the query of the session's URL. The session is used at the connection's own address, whatever the host of the
 * URL is, so that the credential is never sent to another host.
 */
function sessionQuery(location: string | readonly string[] | undefined): Record<string, string> | undefined {
  const url = typeof location === 'string' ? URL.parse(location, 'https://upstream.invalid') : null;
  return url?.searchParams.has('upload_id') ? Object.fromEntries(url.searchParams) : undefined;
}

async function openSession(
  file: LinkedFile,
  { path, query, body }: Metadata,
  { exchange, sleep }: Context,
): Promise<Session> {
  const contentType = file.mediaType ?? 'application/octet-stream';
  const { headers } = await exchange({
    method: 'POST',
    path,
    query: { ...query },
    headers: {
      'x-upload-content-type': contentType,
      'x-upload-content-length': file.size === undefined ? undefined : String(file.size),
    },
    body,
  });
  const session = sessionQuery(headers?.['location']);
  if (session === undefined) throw failed('opened no upload session.');
  return { path, query: session, contentType, exchange, sleep, isUnclear: false };
}

/** Sends a part of the file, or an empty part, which only asks for the state of the upload. */
async function put(session: Session, range: string, bytes: Buffer): Promise<Progress> {
  const {
    status,
    body,
    headers = {},
  } = await session.exchange({
    method: 'PUT',
    path: session.path,
    query: session.query,
    headers: { 'content-type': session.contentType, 'content-range': `bytes ${range}` },
    bytes,
    expects: [INCOMPLETE],
    isRead: bytes.length === 0,
    timeoutMs: CHUNK_TIMEOUT_MS,
  });
  if (status !== INCOMPLETE) return { video: body };
  // The upstream may move the session to another URL after each part.
  session.query = sessionQuery(headers['location']) ?? session.query;
  const [, last] = /^bytes=0-(\d+)$/.exec(String(headers['range'] ?? '')) ?? [];
  return { stored: last === undefined ? 0 : Number(last) + 1 };
}

/** Returns true if a failure may be temporary: the upstream did not respond, or responded with a 5xx status. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { status } = error.details ?? {};
  if (error.code === 'upstream_failed') return typeof status === 'number' && status >= 500;
  return error.code === 'connection_failed' || error.code === 'upstream_timeout';
}

/** Returns the problem with an upload whose failure may pass, as the end of a sentence. */
function passingProblemOf({ code, details }: ServiceError): string {
  if (code === 'upstream_timeout') return 'did not respond in time during the upload.';
  if (code === 'connection_failed')
    return 'could not be reached, or closed the connection, during the upload.';
  return `responded with status ${details?.['status']} during the upload.`;
}

/** Returns true if the chunk may have arrived: the failure is temporary, or the response could not be read. */
function mayHaveArrived(error: unknown): boolean {
  if (mayPass(error) || !(error instanceof ServiceError)) return true;
  const { status, reason } = error.details ?? {};
  return reason === NO_MEMORY || (typeof status === 'number' && status < 300);
}

/** Sends one chunk. After a failure, asks the upstream how many bytes it has stored, and sends the rest. */
async function sendChunk(
  { bytes, start, isLast }: LinkedChunk,
  total: string,
  session: Session,
): Promise<Progress> {
  const end = start + bytes.length;
  let progress: Progress = { stored: start };
  for (let failures = 0; ; ) {
    const { stored } = progress;
    const rest = bytes.subarray(stored - start);
    const range = rest.length === 0 ? `*/${total}` : `${stored}-${end - 1}/${total}`;
    try {
      progress = await put(session, range, rest);
      if ('stored' in progress && progress.stored <= stored) failures += 1;
    } catch (error) {
      failures += 1;
      session.isUnclear = isLast && mayHaveArrived(error);
      if (!mayPass(error) || failures >= MAX_FAILURES) throw error;
      await session.sleep(PAUSE_MS * 2 ** (failures - 1));
      progress = await put(session, `*/${total}`, Buffer.alloc(0));
      session.isUnclear = false;
    }
    if ('video' in progress || (progress.stored === end && !isLast)) return progress;
    if (progress.stored < start || progress.stored > end) throw failed('lost a part of the upload.');
    if (failures >= MAX_FAILURES) throw failed('stored no part of the upload.');
  }
}

/**
 * Returns the message for an upload that created no video. The message of the error itself would say how to go on after
 * any other call, so it is replaced for failures after which the whole upload can be repeated.
 */
function messageOf(error: ServiceError, session: Session | undefined): string {
  // The statuses of an upload session that the upstream no longer has.
  const isLost = session !== undefined && [404, 410].includes(Number(error.details?.['status']));
  if (isLost) return again('lost the upload session.');
  if (mayPass(error)) return again(passingProblemOf(error));
  return `${error.message} ${NONE}`;
}

/** Says in the error of an upload whether a video was created. */
function withOutcome(error: unknown, session: Session | undefined): unknown {
  if (!(error instanceof ServiceError) || error.message.includes(NONE)) return error;
  if (session?.isUnclear !== true)
    return new ServiceError(error.code, messageOf(error, session), error.details, { cause: error });
  const advice = 'The whole file was sent, but it is unknown whether the video was created.';
  return partialFailure(
    error,
    `${advice} Look at the videos of the channel before you call the tool again.`,
    {},
  );
}

/**
 * Uploads a file by the resumable protocol of the upstream: opens a session with the metadata, then sends the file in
 * chunks, so that memory does not grow with the file. An upload that is not complete creates no video.
 */
export async function uploadInChunks(
  file: LinkedFile,
  metadata: Metadata,
  context: Context,
): Promise<unknown> {
  const chunks = file.chunks(CHUNK_BYTES);
  let session: Session | undefined;
  try {
    session = await openSession(file, metadata, context);
    for await (const chunk of chunks) {
      const total = file.size ?? (chunk.isLast ? chunk.start + chunk.bytes.length : '*');
      const progress = await sendChunk(chunk, String(total), session);
      if ('video' in progress) return progress.video;
    }
    throw failed('did not finish the upload.');
  } catch (error) {
    throw withOutcome(error, session);
  }
}

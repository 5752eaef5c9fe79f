import { type CallOptions, ConnectionError, ServiceError } from '@svc/core';
import type { Bytes } from './byte-stream.js';
import type { ContentSource } from './content-source.js';
import { fileName } from './file-path.js';
import type { Requests } from './requests.js';
import type { DriveItem, FileLocation } from './resources.js';
import {
  type OpenSigned,
  readJson,
  retryAfterOf,
  type SignedFetch,
  toUpstreamError,
} from './signed-fetch.js';
import { wait } from './wait.js';

export type Conflict = 'fail' | 'rename' | 'replace';

/** Progress of an upload, in bytes. */
export interface UploadProgress {
  sent: number;
  total: number;
}

interface SessionUpload {
  readonly location: FileLocation;
  readonly path: string;
  readonly conflict: Conflict;
  readonly onProgress: (progress: UploadProgress) => void;
  readonly open: OpenSigned;
  readonly call: CallOptions;
}

interface SessionStatus {
  uploadUrl?: string;
  nextExpectedRanges?: string[];
}

// Size of a part in bytes. The upstream requires a multiple of 320 KiB for all parts except the last.
const RANGE_BYTES = 16 * 320 * 1024;
const FAILURES = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 180_000;

/**
 * Uploads a file in parts to the signed URL of an upload session. Sends no credentials, and bypasses the proxy, which
 * reaches only the API.
 */
export async function uploadBySession(
  requests: Requests,
  source: ContentSource,
  upload: SessionUpload,
): Promise<DriveItem> {
  const { path, conflict, location, open, call } = upload;
  const { uploadUrl: url } = await requests.send<SessionStatus>(
    {
      method: 'POST',
      path: `${path}:/createUploadSession`,
      body: { item: { '@microsoft.graph.conflictBehavior': conflict, name: fileName(location) } },
    },
    call,
  );
  if (url === undefined)
    throw new ServiceError({
      code: 'unexpected_response',
      message: 'The upstream created an upload session without a URL. Upload the file again.',
    });
  try {
    const exchange = open(call.signal);
    const file = await sendRanges(source, { url, exchange, ...upload });
    return file ?? (await findUploaded(requests, source, upload));
  } catch (error) {
    await Promise.allSettled([open(undefined)(url, { method: 'DELETE' }), source.cancel(error)]);
    throw error;
  }
}

interface Session extends SessionUpload {
  readonly url: string;
  readonly exchange: SignedFetch;
}

/**
 * Sends all parts of a file. Returns undefined if the upload session ended before the response to the last part
 * arrived.
 */
async function sendRanges(source: ContentSource, session: Session): Promise<DriveItem | undefined> {
  const { onProgress, call } = session;
  let offset = 0;
  let failures = 0;
  for (;;) {
    const bytes = await source.read(offset, RANGE_BYTES);
    const sent = await sendRange(bytes, offset, { source, session });
    if ('file' in sent) {
      onProgress({ sent: source.size, total: source.size });
      return sent.file;
    }
    if ('next' in sent) {
      failures = 0;
      offset = sent.next;
      onProgress({ sent: offset, total: source.size });
      continue;
    }
    failures += 1;
    if (failures >= FAILURES) throw sent.error;
    await wait(sent.waitMs ?? backoff(failures), call.signal);
    const next = await fetchNextOffset(session);
    if (next === 'ended' && offset + bytes.length === source.size) return undefined;
    if (next === 'ended') throw sent.error;
    offset = next ?? offset;
  }
}

const backoff = (failures: number): number => FIRST_WAIT_MS * 2 ** (failures - 1) * (0.5 + Math.random() / 2);

type Sent =
  | { readonly file: DriveItem }
  | { readonly next: number }
  | { readonly error: unknown; readonly waitMs?: number | undefined };

async function sendRange(
  bytes: Bytes,
  offset: number,
  { source, session }: { source: ContentSource; session: Session },
): Promise<Sent> {
  const end = offset + bytes.length;
  const headers = { 'content-range': `bytes ${offset}-${end - 1}/${source.size}` };
  const response = await attempt(() =>
    session.exchange(session.url, { method: 'PUT', headers, body: bytes }),
  );
  if (!(response instanceof Response)) return response;
  if (response.status === 200 || response.status === 201)
    return { file: await readJson<DriveItem>(response) };
  if (response.status === 202) return { next: firstMissing(await readJson<SessionStatus>(response)) ?? end };
  const error = await toUpstreamError(response, 'A part of the upload');
  if (!isTemporary(response.status)) throw error;
  const seconds = retryAfterOf(response);
  return { error, waitMs: seconds === undefined ? undefined : Math.min(seconds * 1000, LONGEST_WAIT_MS) };
}

async function attempt(send: () => Promise<Response>): Promise<Response | { error: unknown }> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ConnectionError) return { error };
    throw error;
  }
}

// True if a part may be sent again after this error status. 416 means that the part has already arrived or an earlier
// part is missing. The status of the upload session contains the missing ranges.
const isTemporary = (status: number): boolean =>
  [408, 416, 429, 509].includes(status) || (status >= 500 && status < 507);

/**
 * Returns the offset at which the upload continues, or `ended` if the session ended. Undefined if the session did not
 * respond.
 */
async function fetchNextOffset({ url, exchange }: Session): Promise<number | 'ended' | undefined> {
  const response = await attempt(() => exchange(url));
  if (!(response instanceof Response)) return undefined;
  if (response.status === 404 || response.status === 410) return 'ended';
  return response.ok ? firstMissing(await readJson<SessionStatus>(response)) : undefined;
}

function firstMissing({ nextExpectedRanges = [] }: SessionStatus): number | undefined {
  const starts = nextExpectedRanges.map((range) => Number.parseInt(range, 10)).filter(Number.isSafeInteger);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/**
 * Finds the uploaded file after a session ended without a response. With `fail`, the name was free before, so a file of
 * equal size is the uploaded file. Otherwise the file may be older, and an error is thrown.
 */
async function findUploaded(
  requests: Requests,
  { size }: ContentSource,
  { location, conflict, call }: SessionUpload,
): Promise<DriveItem> {
  const file = conflict === 'fail' ? await requests.getFile(location, call) : undefined;
  if (file?.size === size) return file;
  throw new ServiceError({
    code: 'upload_outcome_unknown',
    message:
      'The last part was sent, but no response arrived. Check whether the file exists before you upload it again.',
  });
}

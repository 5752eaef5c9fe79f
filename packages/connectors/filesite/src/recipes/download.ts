import { type CallOptions, ServiceError } from '@svc/core';
import { type ByteStream, cut } from './byte-stream.js';
import type { Requests } from './requests.js';
import type { DriveItem, FileLocation } from './resources.js';
import { type OpenSigned, toUpstreamError } from './signed-fetch.js';

/** Range of bytes in a file. */
export interface ByteRange {
  /** Offset of the first byte. Default: 0. */
  start?: number | undefined;
  /** Offset of the last byte, which is included. Default: the last byte of the file. */
  end?: number | undefined;
}

/** Options of a download. */
export interface DownloadOptions extends CallOptions {
  /** Range of bytes to download. Default: the whole file. */
  range?: ByteRange | undefined;
}

/** Result of a download as soon as the content starts to arrive. */
export interface Download {
  /** Metadata of the file. */
  file: DriveItem;
  /** Content of the file as a stream. Read it completely or cancel it. */
  stream: ByteStream;
}

const DEAD_LINK = [401, 403, 404];

export async function download(
  requests: Requests,
  location: FileLocation,
  { range, open, ...options }: DownloadOptions & { open: OpenSigned },
): Promise<Download> {
  const get = open(options.signal);
  const headers = range === undefined ? {} : { range: rangeHeader(range) };
  let file = await requests.getFile(location, options);
  let response = await get(linkOf(file), { headers });
  if (DEAD_LINK.includes(response.status)) {
    await response.body?.cancel();
    file = await requests.getFile(location, options);
    response = await get(linkOf(file), { headers });
  }
  if (!response.ok) throw await toUpstreamError(response, `The download of "${file.name}"`);
  const stream = response.body ?? new Blob([]).stream();
  // Cuts the range out of the response if the host ignored the Range header and sent the whole file (200).
  const isWhole = range !== undefined && response.status === 200;
  return { file, stream: isWhole ? cutRange(stream, range) : stream };
}

function linkOf(file: DriveItem): string {
  const link = file['@microsoft.graph.downloadUrl'];
  if (link !== undefined) return link;
  const reason =
    file.folder === undefined ? 'has no download link, perhaps because of a policy' : 'is a folder';
  throw new ServiceError({
    code: 'not_downloadable',
    message: `"${file.name}" ${reason}. Choose a file that can be downloaded.`,
  });
}

function rangeHeader({ start = 0, end }: ByteRange): string {
  const isRange = isOffset(start) && (end === undefined || (isOffset(end) && end >= start));
  if (isRange) return `bytes=${start}-${end ?? ''}`;
  throw new ServiceError({
    code: 'invalid_request',
    message: 'The range is not valid. Use whole numbers from 0, and an end that is not before start.',
  });
}

const isOffset = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

function cutRange(
  stream: ReadableStream<Uint8Array>,
  { start = 0, end }: ByteRange,
): ReadableStream<Uint8Array> {
  return cut(stream, start, end === undefined ? undefined : end - start + 1);
}

import { type CallOptions, ServiceError } from '@svc/core';
import type { Content } from './byte-stream.js';
import { openContent } from './content-source.js';
import { contentTypeOf } from './content-type.js';
import { fileName, filePath } from './file-path.js';
import type { Requests } from './requests.js';
import type { DriveItem, FileLocation } from './resources.js';
import type { OpenSigned } from './signed-fetch.js';
import { type Conflict, type UploadProgress, uploadBySession } from './upload-session.js';

/** File to upload: its location and its content. */
export interface Upload extends FileLocation {
  content: Content;
}

/** Options of an upload. */
export interface UploadOptions extends CallOptions {
  /**
   * Behaviour when the name is taken. `fail`: error 409. `rename`: another name. `replace`: a new version. Default:
   * `fail`.
   */
  conflict?: Conflict | undefined;
  /**
   * Content type of the file. Default: determined by the file's name, otherwise `application/octet-stream`. Ignored
   * above 4 MiB, because the upstream accepts none.
   */
  contentType?: string | undefined;
  /** Size of a stream in bytes. Without it, the stream is buffered in memory, because the upstream needs the size. */
  size?: number | undefined;
  /** Function that is called after every part that has arrived, with the progress in bytes. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

const PUT_LIMIT = 4 * 1024 * 1024;

export async function upload(
  requests: Requests,
  { content, ...location }: Upload,
  options: UploadOptions & { open: OpenSigned },
): Promise<DriveItem> {
  const { conflict = 'fail', contentType, size, onProgress = () => {}, open, ...call } = options;
  const path = filePath(location);
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0))
    throw new ServiceError({
      code: 'invalid_request',
      message: 'size is not a whole number of bytes. Send 0 or more.',
    });
  const source = await openContent(content, size);
  if (source.size > PUT_LIMIT)
    return uploadBySession(requests, source, { location, path, conflict, onProgress, open, call });
  const file = await requests.send<DriveItem>(
    {
      method: 'PUT',
      path: `${path}:/content`,
      queryParams: { '@microsoft.graph.conflictBehavior': conflict },
      form_data: await source.read(0, source.size),
      headers: { 'content-type': contentType ?? contentTypeOf(fileName(location)) },
    },
    call,
  );
  onProgress({ sent: source.size, total: source.size });
  return file;
}

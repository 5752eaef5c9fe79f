import { ServiceError } from '@svc/core';
import { type Bytes, type Content, readPieces } from './byte-stream.js';

/** Content of a known size in bytes, which is read from start to end. */
export interface ContentSource {
  readonly size: number;
  /**
   * Returns at most `length` bytes from an offset. A stream can return its last piece again, but no earlier piece.
   */
  read(offset: number, length: number): Promise<Bytes>;
  /** Cancels the stream from which the content is read. */
  cancel(reason: unknown): Promise<void>;
}

/** Opens content for reading. A stream of unknown size is buffered in memory, because the upstream needs the size. */
export async function openContent(content: Content, size: number | undefined): Promise<ContentSource> {
  if (content instanceof ReadableStream) {
    return size === undefined ? ofBlob(await new Response(content).blob()) : ofStream(content, size);
  }
  return ofBlob(content instanceof Blob ? content : new Blob([content]));
}

function ofBlob(blob: Blob): ContentSource {
  return {
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
    cancel: async () => {},
  };
}

function ofStream(stream: ReadableStream<Uint8Array>, size: number): ContentSource {
  const pieces = readPieces(stream);
  let piece: Bytes = new Uint8Array();
  let start = 0;
  return {
    size,
    async read(offset, length) {
      const end = start + piece.length;
      if (offset >= start && offset < end) return piece.subarray(offset - start);
      if (offset !== end) throw lost();
      piece = await pieces.next(Math.min(length, size - offset));
      start = offset;
      const isLast = start + piece.length === size;
      const isWhole = isLast ? (await pieces.next(1)).length === 0 : piece.length === length;
      if (!isWhole) throw wrongSize(size);
      return piece;
    },
    cancel: pieces.cancel,
  };
}

const lost = (): ServiceError =>
  new ServiceError({
    code: 'upload_lost',
    message:
      'The upstream requests a part of the stream that is no longer available. Upload the file again from the start.',
  });

const wrongSize = (size: number): ServiceError =>
  new ServiceError({
    code: 'invalid_request',
    message: `The stream does not have ${size} bytes. Set "size" to the length of the stream in bytes.`,
  });

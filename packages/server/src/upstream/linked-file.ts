/** Chunk of a linked file. `bytes` is valid only until the next chunk is read, because chunks share one buffer. */
export interface LinkedChunk {
  readonly bytes: Buffer;
  /** Position of the first byte of the chunk in the file. */
  readonly start: number;
  readonly isLast: boolean;
}

/** File behind a link that a caller passed. Its content is downloaded only as fast as the tool reads it. */
export interface LinkedFile {
  /**
   * Media type of the file. Absent if the host announces no type, or a general type such as `application/octet-stream`.
   */
  readonly mediaType: string | undefined;
  /** Size of the file in bytes. Absent if the host does not announce it. */
  readonly size: number | undefined;
  /** Reads the file once, in chunks of `chunkBytes`. The last chunk may be shorter. Reserves memory for one chunk. */
  readonly chunks: (chunkBytes: number) => AsyncIterable<LinkedChunk>;
}

/** Divides a stream of bytes into chunks of `chunkBytes`. The last chunk contains the remaining bytes. */
export async function* chunksOf(
  pieces: AsyncIterable<Buffer>,
  chunkBytes: number,
): AsyncGenerator<LinkedChunk> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let [start, filled] = [0, 0];
  for await (const piece of pieces) {
    for (let taken = 0; taken < piece.length; ) {
      // Yields a full chunk only when another byte arrives, because only then is it known not to be the last chunk.
      if (filled === chunkBytes) {
        yield { bytes: buffer, start, isLast: false };
        start += chunkBytes;
        filled = 0;
      }
      const copied = piece.copy(buffer, filled, taken);
      filled += copied;
      taken += copied;
    }
  }
  yield { bytes: buffer.subarray(0, filled), start, isLast: true };
}

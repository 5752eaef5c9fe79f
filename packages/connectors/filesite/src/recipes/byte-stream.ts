import type { ProxyRequest } from '@svc/core';

/** Content to upload: bytes, a Blob or File, or a stream of bytes. */
export type Content = NonNullable<ProxyRequest['form_data']>;

/** The platform's `ReadableStream`, which contains bytes. */
export type ByteStream = Extract<Content, { getReader: unknown }>;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Reader that returns pieces of a given length from a stream. */
export interface PieceReader {
  /** Returns the next piece. It is shorter than `length` only at the end of the stream. */
  next(length: number): Promise<Bytes>;
  cancel(reason: unknown): Promise<void>;
}

export function readPieces(stream: ReadableStream<Uint8Array>): PieceReader {
  const reader = stream.getReader();
  let rest: Uint8Array = new Uint8Array();
  return {
    async next(length) {
      const piece = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        if (rest.length === 0) {
          const { done, value } = await reader.read();
          if (done) return piece.subarray(0, filled);
          rest = value;
        }
        const taken = rest.subarray(0, length - filled);
        piece.set(taken, filled);
        filled += taken.length;
        rest = rest.subarray(taken.length);
      }
      return piece;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Returns the part of a stream that begins at `start`, with at most `length` bytes. */
export function cut(
  stream: ReadableStream<Uint8Array>,
  start: number,
  length = Number.POSITIVE_INFINITY,
): ReadableStream<Uint8Array> {
  let position = 0;
  const part = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const from = Math.max(0, start - position);
      const wanted = chunk.subarray(from, Math.max(from, start + length - position));
      position += chunk.length;
      if (wanted.length > 0) controller.enqueue(wanted);
      if (position >= start + length) controller.terminate();
    },
  });
  return stream.pipeThrough(part);
}

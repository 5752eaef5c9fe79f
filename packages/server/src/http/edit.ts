/** Streaming edit of a request or response body, such as the rewriting of links. */
export interface Edit {
  /** Takes a chunk of the input and returns the output bytes that are ready, which may be none. */
  readonly take: (chunk: Buffer) => Buffer;
  /** Returns the remaining output bytes after the last chunk. */
  readonly rest: () => Buffer;
}

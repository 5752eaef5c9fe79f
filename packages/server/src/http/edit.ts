/** Edit of a request or response body while it is streamed, such as the rewriting of links. */
export interface Edit {
  /** Takes a chunk of the body and returns the edited bytes that are ready, which may be none. */
  readonly take: (chunk: Buffer) => Buffer;
  /** Returns the remaining edited bytes after the last chunk. */
  readonly rest: () => Buffer;
}

import { ServiceError } from '../errors.js';
import { readEvents } from './mcp-events.js';

/** Code of the error that replaces a missing response. MCP and JSON-RPC do not use it. */
export const NO_ANSWER = -32_999;

export interface StreamEnd {
  /** Request whose response the stream has to carry. */
  readonly requestId: number | string;
  /** True when another stream can resume this one after its last event id (revisions with `initialize`). */
  readonly isResumable: boolean;
}

const MESSAGE = 'The stream ended without a response.';

const isBreak = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'connection_failed';

/**
 * Appends an error for the request to an event stream. The MCP library ignores a second response, so the error counts only
 * when the server's own response is missing. A resumable stream gets no error, because the library resumes it.
 */
export async function* withEnd(
  chunks: AsyncIterable<Uint8Array>,
  { requestId, isResumable }: StreamEnd,
): AsyncGenerator<Uint8Array> {
  let hasEventId = false;
  const willResume = () => isResumable && hasEventId;
  try {
    for await (const event of readEvents(chunks)) {
      hasEventId ||= event.isResumable;
      yield event.bytes;
    }
  } catch (error) {
    if (willResume() && isBreak(error)) return;
    throw error;
  }
  if (willResume()) return;
  const answer = { jsonrpc: '2.0', id: requestId, error: { code: NO_ANSWER, message: MESSAGE } };
  yield Buffer.from(`data: ${JSON.stringify(answer)}\n\n`);
}

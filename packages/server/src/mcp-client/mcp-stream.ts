import { ServiceError } from '../errors.js';
import { readEvents } from './mcp-events.js';

/** Code of the error that stands for an answer that did not come. Ours alone: MCP and JSON-RPC do not use it. */
export const NO_ANSWER = -32_999;

export interface StreamEnd {
  /** Of the request whose answer the stream is to bring. */
  readonly requestId: number | string;
  /** Whether a stream with event ids may go on in another one (initialize era). */
  readonly isResumable: boolean;
}

const MESSAGE = 'The stream ended without an answer.';

const isBreak = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'connection_failed';

/**
 * An event stream, and after its end an error for the request. The MCP library takes the first answer to a request and
 * ignores a second, so that this one is heard only where the server's own is missing. A stream that may be resumed ends
 * without it, and also where it breaks: the library then asks for the rest.
 */
export async function* withEnd(
  chunks: AsyncIterable<Uint8Array>,
  { requestId, isResumable }: StreamEnd,
): AsyncGenerator<Uint8Array> {
  let isSeen = false;
  const isGoingOn = () => isResumable && isSeen;
  try {
    for await (const event of readEvents(chunks)) {
      isSeen ||= event.isResumable;
      yield event.bytes;
    }
  } catch (error) {
    if (isGoingOn() && isBreak(error)) return;
    throw error;
  }
  if (isGoingOn()) return;
  const answer = { jsonrpc: '2.0', id: requestId, error: { code: NO_ANSWER, message: MESSAGE } };
  yield Buffer.from(`data: ${JSON.stringify(answer)}\n\n`);
}

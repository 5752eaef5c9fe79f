import { RETRY_ADVICE, ServiceError } from '../errors.js';
import { readEvents } from './mcp-events.js';

/**
 * JSON-RPC error code by which the service marks an event stream that ended without a response. MCP and JSON-RPC do not
 * use this code.
 */
export const NO_RESPONSE = -32_999;

export interface StreamEnd {
  /** Id of the JSON-RPC request whose response the event stream must contain. */
  readonly requestId: number | string;
  /** True if a new event stream can continue this one after its last event id. MCP 2026-07-28 has no resumption. */
  readonly isResumable: boolean;
}

const MESSAGE = `The event stream of the MCP server ended without a response. ${RETRY_ADVICE}`;

const isBreak = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'connection_failed';

/**
 * Appends a JSON-RPC error for the request to the event stream of an MCP server. The MCP library ignores a second
 * response, so the error only matters if the server sent no response. A resumable stream gets no error, because the
 * library resumes it.
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
  const message = { jsonrpc: '2.0', id: requestId, error: { code: NO_RESPONSE, message: MESSAGE } };
  yield Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}

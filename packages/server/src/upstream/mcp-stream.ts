/** Code of the error that stands for an answer that did not come. Ours alone: MCP and JSON-RPC do not use it. */
export const NO_ANSWER = -32_999;

const MESSAGE = 'The stream ended without an answer.';

/**
 * An event stream, and after its end an error for the request. The MCP library takes the first answer to a request and
 * ignores a second, so that this one is heard only where the server's own is missing.
 */
export async function* withEnd(
  chunks: AsyncIterable<Uint8Array>,
  id: number | string,
): AsyncGenerator<Uint8Array> {
  yield* chunks;
  const answer = { jsonrpc: '2.0', id, error: { code: NO_ANSWER, message: MESSAGE } };
  yield Buffer.from(`\n\ndata: ${JSON.stringify(answer)}\n\n`);
}

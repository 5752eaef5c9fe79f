import { parseJson } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { HttpResponse } from '../http/send-http.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../text/json-depth.js';
import type { McpExchange } from './mcp-exchange.js';
import { type StreamEnd, withEnd } from './mcp-stream.js';

// Maximum bytes of the HTTP response to a JSON-RPC notification. The response is read and ignored, and its bytes count
// against no other limit.
const MAX_DROPPED_BYTES = 64 * 1024;
const SESSION_ID = /^[\x21-\x7e]+$/;

type Exchange = McpExchange | undefined;

const refused = (status: number, problem: string): ServiceError =>
  new ServiceError(
    'upstream_failed',
    `The response of the MCP server is ${problem}. Report this to the operator of the MCP server.`,
    { status },
  );

async function* limited({ status, body }: HttpResponse, exchange: Exchange): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body.stream()) {
    length += chunk.length;
    exchange?.countBytes(chunk.length);
    if (!exchange && length > MAX_DROPPED_BYTES) throw refused(status, 'larger than the maximum of 64 KiB');
    yield chunk;
  }
}

async function readAll(response: HttpResponse, exchange: Exchange): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(response, exchange)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (isTooDeep(bytes))
    throw refused(response.status, `nested deeper than the maximum of ${MAX_JSON_DEPTH} levels`);
  return bytes;
}

/** Reads a response body and parses it as JSON. Returns the text if it is not JSON. */
export async function readMcpBody(response: HttpResponse, exchange: Exchange): Promise<unknown> {
  const text = (await readAll(response, exchange)).toString();
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

// Passes on the chunks of an HTTP response body. Aborts the MCP operation if the connection breaks, because the MCP
// library alone would wait for the response until its timeout.
async function* watched(chunks: AsyncIterable<Uint8Array>, exchange: Exchange) {
  try {
    yield* chunks;
  } catch (error) {
    exchange?.fail(error);
    throw error;
  }
}

async function* whole(response: HttpResponse, exchange: Exchange): AsyncGenerator<Uint8Array> {
  yield await readAll(response, exchange);
}

function checkSessionId({ status, headers }: HttpResponse): void {
  const id = headers['mcp-session-id'];
  if (id === undefined || (typeof id === 'string' && SESSION_ID.test(id))) return;
  throw new ServiceError(
    'upstream_failed',
    'The MCP server returned an invalid session id. Report this to the operator of the MCP server.',
    {
      status,
    },
  );
}

interface ResponseContext {
  readonly exchange: Exchange;
  /** JSON-RPC response that the event stream must contain. `undefined` if no response is expected. */
  readonly end: StreamEnd | undefined;
}

/**
 * Converts an HTTP response of the MCP server to a `Response` for the MCP library. Limits the size and the nesting
 * depth of the body.
 */
export function toMcpResponse(response: HttpResponse, { exchange, end }: ResponseContext): Response {
  checkSessionId(response);
  const { status, headers } = response;
  const copied = ['content-type', 'mcp-session-id'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] satisfies [string, string]] : [];
  });
  const isStream = /^text\/event-stream\b/i.test(String(headers['content-type']));
  const body =
    isStream && end !== undefined ? withEnd(limited(response, exchange), end) : whole(response, exchange);
  return new Response(ReadableStream.from(watched(body, exchange)), { status, headers: copied });
}

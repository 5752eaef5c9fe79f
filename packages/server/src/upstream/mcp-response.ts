import { ServiceError } from '../errors.js';
import type { HttpResponse } from './forward.js';
import type { McpExchange } from './mcp-exchange.js';
import { type StreamEnd, withEnd } from './mcp-stream.js';

const LIMIT = 10 * 1024 * 1024;
const SESSION_ID = /^[\x21-\x7e]+$/;

const tooLarge = (status: number): ServiceError =>
  new ServiceError('upstream_failed', 'The answer of the MCP server is larger than 10 MiB. Ask for less.', {
    status,
  });

async function* limited({ status, body }: HttpResponse): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body.stream()) {
    length += chunk.length;
    if (length > LIMIT) throw tooLarge(status);
    yield chunk;
  }
}

/** The body of an answer: its JSON, or else its text. */
export async function readMcpBody(response: HttpResponse): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(response)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// What breaks a body off is told to the exchange: the library would report it to nobody who waits.
async function* watched(chunks: AsyncIterable<Uint8Array>, exchange: McpExchange | undefined) {
  try {
    yield* chunks;
  } catch (error) {
    exchange?.fail(error);
    throw error;
  }
}

function checkSessionId({ status, headers }: HttpResponse): void {
  const id = headers['mcp-session-id'];
  if (id === undefined || (typeof id === 'string' && SESSION_ID.test(id))) return;
  throw new ServiceError('upstream_failed', 'The MCP server gave a session id that may not be sent back.', {
    status,
  });
}

export interface AwaitedAnswer {
  readonly exchange: McpExchange | undefined;
  /** What is to come by an event stream; `undefined` where nothing is. */
  readonly end: StreamEnd | undefined;
}

/** An answer as the MCP library takes it. */
export function toMcpResponse(response: HttpResponse, { exchange, end }: AwaitedAnswer): Response {
  checkSessionId(response);
  const { status, headers } = response;
  const kept = ['content-type', 'mcp-session-id'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] satisfies [string, string]] : [];
  });
  const isStream = /^text\/event-stream\b/i.test(String(headers['content-type']));
  const chunks = limited(response);
  const body = isStream && end !== undefined ? withEnd(chunks, end) : chunks;
  return new Response(ReadableStream.from(watched(body, exchange)), { status, headers: kept });
}

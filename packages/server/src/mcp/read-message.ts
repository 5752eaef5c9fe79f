import { isJsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { ApiRequest } from '../front/api-request.js';
import type { InputRoom } from '../front/input-room.js';
import { type ChargeApplication, parseQueued } from '../front/parse-queued.js';
import { type BodyBounds, readBody } from '../front/read-body.js';
import { mostBytesOf } from '../listener/body-limits.js';
import { tooLarge } from '../listener/error-reply.js';
import type { RecordRefused } from '../tools/record-refused.js';
import { refusalOf } from './malformed-message.js';
import type { MetaTool } from './meta-tools.js';
import { readArguments } from './read-arguments.js';
import { INVALID_REQUEST, rpcError } from './rpc-response.js';
import { sendJson } from './send-json.js';
import type { Toolset } from './toolset.js';

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/**
 * Returns the size limit of the request body. MCP 2026-07-28 clients name the tool in a header. Other clients get the
 * largest limit of all tools.
 */
function boundsOf({ headers }: ApiRequest['request'], { tools, mostBytes }: Toolset): BodyBounds {
  const tool = tools.get(String(headers['mcp-name']));
  return tool ? { mostBytes: mostBytesOf(tool), toolName: tool.name } : { mostBytes };
}

const CALL_TOOL: MetaTool = 'call_tool';

/** Returns the name of the tool that an MCP message calls, directly or through `call_tool`. */
export function calledTool(message: unknown): string | undefined {
  const params = isJsonObject(message) && message['method'] === 'tools/call' ? message['params'] : undefined;
  if (!isJsonObject(params)) return undefined;
  const { name, arguments: input } = params;
  const called = name === CALL_TOOL && isJsonObject(input) ? input['name'] : name;
  return typeof called === 'string' ? called : undefined;
}

function checkSize(bytes: Buffer, message: unknown, { tools }: Toolset): void {
  const tool = tools.get(calledTool(message) ?? '');
  const most = mostBytesOf(tool);
  if (bytes.length > most) throw tooLarge(most, tool?.name);
}

interface MessageReading {
  readonly toolset: Toolset;
  readonly room: InputRoom;
  readonly recordRefused: RecordRefused;
  readonly charge: ChargeApplication;
}

/**
 * Reads and parses the request body. Resolves to `undefined` if the body is malformed; the error response is then
 * already sent.
 */
export async function readMessage(
  apiRequest: ApiRequest,
  { toolset, room, charge, recordRefused }: MessageReading,
): Promise<unknown> {
  const bytes = await readBody(apiRequest.request, {
    ...boundsOf(apiRequest.request, toolset),
    take: room.take,
  });
  // Returns an empty message for other content types, because the MCP library rejects the request without reading its
  // body.
  if (!JSON_TYPE.test(apiRequest.request.headers['content-type'] ?? '')) return {};
  try {
    const sender = {
      owner: apiRequest.applicationId,
      isDisconnected: () => apiRequest.signal.aborted,
      charge,
    };
    const parse = (text: Buffer) => parseQueued(text, sender);
    const message = await readArguments(await parse(bytes), parse);
    checkSize(bytes, message, toolset);
    if (!Array.isArray(message)) return message;
    sendJson(
      apiRequest,
      400,
      rpcError({
        code: INVALID_REQUEST,
        message: 'JSON-RPC batches are not supported. Send one message per request.',
      }),
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error;
    apiRequest.errorCode = error.code;
    recordRefused(apiRequest, error, { identifier: toolset.identifier });
    const { status, text } = refusalOf(bytes, error);
    sendJson(apiRequest, status, text);
  }
  return undefined;
}

import { isJsonObject, type JsonObject } from '@svc/catalog';
import type { ResponseMemory } from '../concurrency/response-memory.js';
import { type ErrorCode, ServiceError } from '../errors.js';
import type { Call } from '../front/call.js';
import { type InputRoom, openInputRoom } from '../front/input-room.js';
import { type ChargeApplication, parseQueued } from '../front/parse-queued.js';
import { type BodyBounds, readBody } from '../front/read-body.js';
import { mostBytesOf } from '../listener/body-limits.js';
import { toOwnError, tooLarge } from '../listener/error-reply.js';
import { SLICE, toSlices } from '../listener/slices.js';
import type { RecordRefused } from '../tools/record-refused.js';
import type { CheckScope } from './challenges.js';
import type { DispatchCall } from './dispatch-call.js';
import type { createLibrary, McpRequest } from './library.js';
import { refusalOf } from './malformed-message.js';
import type { MetaTool } from './meta-tools.js';
import { isFailure, type ServerInfo } from './outcome.js';
import { type PlainRequest, readPlainRequest } from './plain-request.js';
import { readArguments } from './read-arguments.js';
import { readDryRun, WRONG_META } from './read-dry-run.js';
import {
  callResponse,
  INVALID_PARAMS,
  INVALID_REQUEST,
  listResponse,
  METHOD_NOT_FOUND,
  rpcError,
} from './rpc-response.js';
import type { EndpointPath, FindToolset, Toolset } from './toolset.js';

interface McpEndpointParts {
  readonly findToolset: FindToolset;
  readonly checkScope: CheckScope;
  readonly dispatchCall: DispatchCall;
  readonly serveByLibrary: ReturnType<typeof createLibrary>;
  readonly info: ServerInfo;
  readonly memory: ResponseMemory;
  readonly charge: ChargeApplication;
  readonly recordRefused: RecordRefused;
  /** Callback for a large request body. It prevents a timeout while the body arrives slowly. */
  readonly expectUpload: (request: Call['request']) => void;
}

const PATH = /^\/mcp(?:\/apps\/([^/?]{1,768}))?(?:\/(\w{1,64}))?(?:\?(.*))?$/;
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

function readPath(url: string): EndpointPath {
  const [whole, application, connector, query = ''] = PATH.exec(url) ?? [];
  if (whole === undefined)
    throw new ServiceError(
      'not_found',
      'There is no MCP endpoint at this path. Use /mcp, /mcp/{connector}, or /mcp/apps/{applicationId} for MCP clients that sign in the user.',
    );
  return { application, connector, wantsAll: new URLSearchParams(query).get('tools') === 'all' };
}

function send({ headers, response }: Call, status: number, text: Buffer | string): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  headers['content-type'] = 'application/json';
  headers['cache-control'] = 'no-store';
  headers['content-length'] = bytes.length;
  response.writeHead(status, headers);
  if (bytes.length <= SLICE) response.end(bytes);
  else toSlices(bytes).pipe(response);
}

/**
 * Returns the size limit of the request body. MCP 2026-07-28 clients name the tool in a header. Other clients get the
 * largest limit of all tools.
 */
function boundsOf({ headers }: Call['request'], { tools, mostBytes }: Toolset): BodyBounds {
  const tool = tools.get(String(headers['mcp-name']));
  return tool ? { mostBytes: mostBytesOf(tool), toolName: tool.name } : { mostBytes };
}

// Errors of clients that look for an MCP endpoint or sign in. These requests call no tool, so they are not recorded as
// calls.
const NO_CALLS: readonly ErrorCode[] = ['method_not_allowed', 'unauthorized', 'not_found'];

const CALL_TOOL: MetaTool = 'call_tool';

/** Returns the name of the tool that an MCP message calls, directly or through `call_tool`. */
function calledTool(message: unknown): string | undefined {
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

interface Reading {
  readonly toolset: Toolset;
  readonly room: InputRoom;
  readonly recordRefused: RecordRefused;
}

type BodyReading = Reading & Pick<McpEndpointParts, 'charge'>;

/**
 * Reads and parses the request body. Resolves to `undefined` if the body is malformed; the error response is then
 * already sent.
 */
async function readMessage(
  call: Call,
  { toolset, room, charge, recordRefused }: BodyReading,
): Promise<unknown> {
  const bytes = await readBody(call.request, { ...boundsOf(call.request, toolset), take: room.take });
  // Returns an empty message for other content types, because the MCP library rejects the request without reading its
  // body.
  if (!JSON_TYPE.test(call.request.headers['content-type'] ?? '')) return {};
  try {
    const sender = { owner: call.applicationId, isDisconnected: () => call.signal.aborted, charge };
    const parse = (text: Buffer) => parseQueued(text, sender);
    const message = await readArguments(await parse(bytes), parse);
    checkSize(bytes, message, toolset);
    if (!Array.isArray(message)) return message;
    send(
      call,
      400,
      rpcError({
        code: INVALID_REQUEST,
        message: 'JSON-RPC batches are not supported. Send one message per request.',
      }),
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error;
    call.errorCode = error.code;
    recordRefused(call, error, { identifier: toolset.identifier });
    const { status, text } = refusalOf(bytes, error);
    send(call, status, text);
  }
  return undefined;
}

function requirePost(call: Call): void {
  if (call.request.method === 'POST') return;
  throw new ServiceError(
    'method_not_allowed',
    'This endpoint has no sessions and no streams, so it accepts only POST. Send the request with POST.',
    {
      allow: ['POST'],
    },
  );
}

const subscribes = (message: unknown): message is { readonly id: unknown } =>
  isJsonObject(message) && message['method'] === 'subscriptions/listen';

const needsStream = (plain: PlainRequest, { tools }: Toolset): boolean =>
  plain.wantsProgress &&
  plain.takesStream &&
  plain.call !== undefined &&
  tools.get(plain.call.name)?.hints.longRunning !== false;

/**
 * Creates the MCP endpoint: streamable HTTP with or without `initialize`, and without sessions. This module handles the
 * `tools/list` and `tools/call` requests that `readPlainRequest` accepts. The MCP library serves all other requests.
 */
export function createMcpEndpoint(parts: McpEndpointParts) {
  const { checkScope, findToolset, dispatchCall, serveByLibrary, info, memory, expectUpload } = parts;
  const { charge, recordRefused } = parts;

  async function servePlain(
    { call, toolset, isDry, room }: Omit<McpRequest, 'body'>,
    plain: PlainRequest,
  ): Promise<void> {
    if (plain.call === undefined) return send(call, 200, listResponse(toolset.listJson, plain, info));
    const { name, input } = plain.call;
    const outcome = await dispatchCall(name, { toolset, input, call, isDry, room });
    if (outcome === undefined) {
      const message = `Unknown tool: ${JSON.stringify(name)}. Use a name from tools/list.`;
      return send(call, 200, rpcError({ id: plain.id, code: INVALID_PARAMS, message }));
    }
    if (isFailure(outcome)) call.errorCode = outcome.code;
    send(call, 200, callResponse(outcome, plain, info));
  }

  async function serveMessage(
    call: Call,
    body: unknown,
    { toolset, room }: Omit<Reading, 'recordRefused'>,
  ): Promise<void> {
    checkScope(call, toolset, calledTool(body));
    if (subscribes(body)) {
      const message = 'This endpoint sends no notifications. Call the method again to see changes.';
      return send(call, 404, rpcError({ id: body.id, code: METHOD_NOT_FOUND, message }));
    }
    const isDry = readDryRun(body);
    if (isDry === undefined) {
      // The cast is safe, because `readDryRun` returns `undefined` only for JSON objects.
      const { id } = body as JsonObject;
      return send(call, 200, rpcError({ id, code: INVALID_PARAMS, message: WRONG_META }));
    }
    const plain = readPlainRequest(call.request, body);
    if (plain && !needsStream(plain, toolset)) return servePlain({ call, toolset, isDry, room }, plain);
    return serveByLibrary({ toolset, call, isDry, room, body });
  }

  async function serveMcp(call: Call): Promise<void> {
    const { applicationId, bearer, onClose, request } = call;
    requirePost(call);
    if (bearer === undefined)
      throw new ServiceError(
        'unauthorized',
        'The request has no token. Send the header "Authorization: Bearer <token>".',
      );
    const toolset = await findToolset(bearer, readPath(request.url ?? ''));
    const room = openInputRoom(memory, {
      applicationId,
      expectUpload: () => expectUpload(request),
      whenClosed: new Promise<void>(onClose),
    });
    const body = await readMessage(call, { toolset, room, charge, recordRefused });
    if (body !== undefined) await serveMessage(call, body, { toolset, room });
  }

  async function work(call: Call): Promise<void> {
    try {
      await serveMcp(call);
    } catch (error) {
      if (!NO_CALLS.includes(toOwnError(error).code)) recordRefused(call, error);
      throw error;
    }
  }

  return { work, refused: recordRefused };
}

import { isJsonObject, type JsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { Call } from '../front/call.js';
import { type InputRoom, openInputRoom } from '../front/input-room.js';
import { parseJsonBody } from '../front/parse-json-body.js';
import { type BodyBounds, readBody } from '../front/read-body.js';
import type { Work } from '../front/serve-call.js';
import type { AnswerMemory } from '../listener/answer-memory.js';
import { mostBytesOf } from '../listener/body-limits.js';
import { tooLarge } from '../listener/error-reply.js';
import { SLICE, toSlices } from '../listener/slices.js';
import { isFailed, type ServerInfo } from './answer.js';
import { calledTool } from './called-tool.js';
import { callResponse, listResponse } from './envelope.js';
import type { Asked, createLibrary } from './library.js';
import { type PlainRequest, readPlainRequest } from './plain-request.js';
import { readDryRun, WRONG_META } from './read-dry-run.js';
import type { ServeCall } from './serve-call.js';
import type { CheckScope } from './step-up.js';
import type { Door, FindSurface, Surface } from './surface.js';

export interface EndpointParts {
  readonly findSurface: FindSurface;
  readonly checkScope: CheckScope;
  readonly serveCall: ServeCall;
  readonly serveByLibrary: ReturnType<typeof createLibrary>;
  readonly info: ServerInfo;
  readonly memory: AnswerMemory;
  /** Told of a request whose body may take long. */
  readonly expectUpload: (request: Call['request']) => void;
}

const PATH = /^\/mcp(?:\/apps\/([^/?]{1,768}))?(?:\/(\w{1,64}))?(?:\?(.*))?$/;
const JSON_TYPE = /^application\/json *(?:;|$)/i;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

function readDoor(url: string): Door {
  const [whole, application, connector, query = ''] = PATH.exec(url) ?? [];
  if (whole === undefined)
    throw new ServiceError(
      'not_found',
      'MCP is at /mcp and /mcp/{connector}, and for clients that sign in at /mcp/apps/{applicationId}.',
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

interface RpcError {
  readonly id?: unknown;
  readonly code: number;
  readonly message: string;
}

const rpcError = ({ id = null, code, message }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

/** Which tool is called stands in the head, if the client is of 2026-07-28; else it may be the one that takes most. */
function boundsOf({ headers }: Call['request'], { tools, mostBytes }: Surface): BodyBounds {
  const tool = tools.get(String(headers['mcp-name']));
  return tool ? { mostBytes: mostBytesOf(tool), toolName: tool.name } : { mostBytes };
}

function checkSize(bytes: Buffer, message: unknown, { tools }: Surface): void {
  const tool = tools.get(calledTool(message) ?? '');
  const most = mostBytesOf(tool);
  if (bytes.length > most) throw tooLarge(most, tool?.name);
}

interface Reading {
  readonly surface: Surface;
  readonly room: InputRoom;
}

/** The body, or `undefined` when what is wrong with it has been answered. */
async function readMessage(call: Call, { surface, room }: Reading): Promise<unknown> {
  const bytes = await readBody(call.request, { ...boundsOf(call.request, surface), take: room.take });
  // The library says what is wrong with a type, and reads nothing of it.
  if (!JSON_TYPE.test(call.request.headers['content-type'] ?? '')) return {};
  try {
    const message = parseJsonBody(bytes);
    checkSize(bytes, message, surface);
    if (!Array.isArray(message)) return message;
    send(call, 400, rpcError({ code: INVALID_REQUEST, message: 'Send one message at a time.' }));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'payload_too_large') throw error;
    send(call, 400, rpcError({ code: PARSE_ERROR, message: error.message }));
  }
  return undefined;
}

function onlyPost(call: Call): void {
  if (call.request.method === 'POST') return;
  throw new ServiceError(
    'method_not_allowed',
    'This endpoint keeps no sessions and no streams: it takes POST.',
    { allow: ['POST'] },
  );
}

/** Whatever a list says stays true for as long as anybody would listen, so nothing is ever told there. */
const subscribes = (message: unknown): message is { readonly id: unknown } =>
  isJsonObject(message) && message['method'] === 'subscriptions/listen';

/** MCP over HTTP, of both revisions and without sessions: plain calls and lists here, everything else by the library. */
export function createEndpoint(parts: EndpointParts): Work {
  const { checkScope, findSurface, serveCall, serveByLibrary, info, memory, expectUpload } = parts;

  async function servePlain(
    { call, surface, isDry, room }: Omit<Asked, 'body'>,
    plain: PlainRequest,
  ): Promise<void> {
    if (plain.call === undefined) return send(call, 200, listResponse(surface.list, plain, info));
    const { name, input } = plain.call;
    const answer = await serveCall(name, { surface, input, call, isDry, room });
    if (answer === undefined) {
      const message = `Unknown tool: ${JSON.stringify(name)}`;
      return send(call, 200, rpcError({ id: plain.id, code: INVALID_PARAMS, message }));
    }
    if (isFailed(answer)) call.errorCode = answer.code;
    send(call, 200, callResponse(answer, plain, info));
  }

  const needsStream = (plain: PlainRequest, { tools }: Surface): boolean =>
    plain.wantsProgress &&
    plain.call !== undefined &&
    tools.get(plain.call.name)?.hints.longRunning !== false;

  return async (call) => {
    const { applicationId, bearer, onClose, request } = call;
    onlyPost(call);
    if (bearer === undefined) throw new ServiceError('unauthorized', 'Send a token.');
    const surface = await findSurface(bearer, readDoor(request.url ?? ''));
    const room = openInputRoom(memory, {
      applicationId,
      expectUpload: () => expectUpload(request),
      whenClosed: new Promise<void>(onClose),
    });
    const body = await readMessage(call, { surface, room });
    if (body === undefined) return;
    checkScope(call, surface, body);
    if (subscribes(body)) {
      const message = 'Nothing changes here that a client would be told of.';
      return send(call, 404, rpcError({ id: body.id, code: METHOD_NOT_FOUND, message }));
    }
    const isDry = readDryRun(body);
    if (isDry === undefined) {
      // Only an object has anything there.
      const { id } = body as JsonObject;
      return send(call, 200, rpcError({ id, code: INVALID_PARAMS, message: WRONG_META }));
    }
    const plain = readPlainRequest(request, body);
    if (plain && !needsStream(plain, surface)) return servePlain({ call, surface, isDry, room }, plain);
    return serveByLibrary({ surface, call, isDry, room, body });
  };
}

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { CallToolResult, McpServerFactory, ServerContext } from '@modelcontextprotocol/server';
import { type Catalog, cutText, parseJson } from '@svc/catalog';
import type { ApiRequest } from '../front/api-request.js';
import type { InputRoom } from '../front/input-room.js';
import { absentToolText, type DispatchCall } from './dispatch-call.js';
import { isFailure, resultText, type ServerInfo } from './outcome.js';
import { CAPABILITIES, opensLinks, takesJson, takesStream } from './plain-request.js';
import { LIST_HINTS, linkParams } from './rpc-response.js';
import type { Toolset } from './toolset.js';

interface LibraryParts {
  readonly info: ServerInfo;
  readonly dispatchCall: DispatchCall;
  readonly connectors: Catalog['connectors'];
}

/** MCP request that the MCP library serves, with its parsed JSON body. */
export interface McpRequest {
  readonly toolset: Toolset;
  readonly apiRequest: ApiRequest;
  readonly isDry: boolean;
  readonly room: InputRoom;
  readonly body: unknown;
}

type Library = typeof import('@modelcontextprotocol/server');

/**
 * Validator for the MCP library, which requires one. It rejects every value, because MCP clients send no schemas to
 * this service.
 */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not supported' }),
};

const NO_CURSOR =
  'This cursor does not exist, because the list has one page. Request the list without a cursor.';

const MAX_CHARACTERS = 2000;
const NO_TOOLS =
  'You have no tools, because the services that you may use offer none. Tell the user that the task is not possible here.';

/** Returns the MCP `instructions` text. MCP clients show it to the model together with the list of tools. */
function instructionsOf(
  { connections, tools, usesMetaTools }: Toolset,
  connectors: LibraryParts['connectors'],
): string {
  if (tools.size === 0) return NO_TOOLS;
  const used = new Set([...tools.values()].map(({ connector }) => connector));
  const several = [...connections].filter(([connector, names]) => used.has(connector) && names.length > 1);
  const services = [...used].map((id) => `${id} (${connectors.get(id)?.service ?? id})`).join(', ');
  const sentences = [
    `These tools act for one user in: ${services}. Each tool name begins with the name of its service.`,
    usesMetaTools &&
      'Find tools with search_tools, read their inputs with describe_tool, and call them with call_tool.',
    'When a result says account_not_authorized, show the user its link, and call again after they consent.',
    several.length > 0 &&
      `The user has more than one account for ${several.map(([id]) => id).join(', ')}: ask the user which one to use.`,
    'When a result says that there is more, call the tool again as the result says to get the next page.',
  ];
  return cutText(sentences.filter((sentence) => sentence !== false).join(' '), MAX_CHARACTERS);
}

interface Params {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

function progressOf({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (seconds: number) => {
    const params = {
      progressToken,
      progress: seconds,
      message: `The call has been running for ${Math.round(seconds)} s.`,
    };
    // Sending progress fails after the client has disconnected. The error is ignored, because the tool call handles the
    // disconnect.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** True if the client can open an authorization link for its user, and has not already done so for this call. */
function mayElicit({ mcpReq }: ServerContext): boolean {
  const { [CAPABILITIES]: capabilities }: { readonly [CAPABILITIES]?: unknown } = mcpReq.envelope ?? {};
  return opensLinks(capabilities) && mcpReq.inputResponses === undefined;
}

function createFactory(library: Library, { info, dispatchCall, connectors }: LibraryParts): McpServerFactory {
  const { Server, ProtocolError, ProtocolErrorCode, inputRequired } = library;

  async function callTool(
    { toolset, apiRequest, isDry, room }: McpRequest,
    { name, arguments: input = {} }: Params,
    context: ServerContext,
  ) {
    const onProgress = progressOf(context);
    const outcome = await dispatchCall(name, { toolset, apiRequest, isDry, room, input, onProgress });
    if (outcome === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, absentToolText(name, toolset));
    if (isFailure(outcome)) apiRequest.errorCode = outcome.code;
    if (isFailure(outcome) && outcome.link && mayElicit(context))
      return inputRequired({ inputRequests: { connect: inputRequired.elicitUrl(linkParams(outcome.link)) } });
    // The cast is safe, because `resultText` returns the JSON of an MCP tool result.
    return parseJson(resultText(outcome)) as CallToolResult;
  }

  return function createServer({ authInfo }) {
    // `serveByLibrary` below stores the MCP request in `extra`, because the library passes only `authInfo` to this
    // function.
    const request = authInfo?.extra?.['request'] as McpRequest;
    const server = new Server(info, {
      capabilities: { tools: {} },
      instructions: instructionsOf(request.toolset, connectors),
      jsonSchemaValidator: NO_VALIDATOR,
      cacheHints: { 'tools/list': LIST_HINTS },
    });
    server.setRequestHandler('tools/list', ({ params }) => {
      // `tools/list` returns all tools in one page, so every cursor is invalid.
      if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_CURSOR);
      return { tools: JSON.parse(request.toolset.listJson.toString()) };
    });
    server.setRequestHandler('tools/call', ({ params }, context) => callTool(request, params, context));
    return server;
  };
}

const BOTH_TYPES = 'application/json, text/event-stream';

function toWebRequest({ method = '', headers }: IncomingMessage, signal: AbortSignal): Request {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') copied.set(name, value);
  // The MCP library requires an Accept header with exactly these two media types. A client that accepts only one of
  // them is fine too, because every response can have either type.
  if (takesJson(headers) || takesStream(headers)) copied.set('accept', BOTH_TYPES);
  // `Request` needs a URL, but the MCP library ignores it.
  return new Request('http://mcp.invalid/', { method, headers: copied, signal });
}

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

/** Converts an event stream to JSON: the last message, which is the response. Progress notifications are dropped. */
async function toJson(response: Response): Promise<Response> {
  const messages = [...(await response.text()).matchAll(/^data: (.+)$/gm)];
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(messages.at(-1)?.[1] ?? '', { status: response.status, headers });
}

async function relay({ status, headers, body }: Response, apiRequest: ApiRequest): Promise<void> {
  for (const [name, value] of headers) if (name !== 'connection') apiRequest.headers[name] = value;
  apiRequest.response.writeHead(status, apiRequest.headers);
  if (body === null) return void apiRequest.response.end();
  // The cast is needed, because the DOM types and `node:stream/web` declare `ReadableStream` differently.
  const source = Readable.fromWeb(body as ReadableStream<Uint8Array>);
  // `pipeline` rejects if the client disconnects. It has then closed both streams, so the error is ignored.
  await pipeline(source, apiRequest.response).catch(() => undefined);
}

export function createLibrary({ info, dispatchCall, connectors }: LibraryParts) {
  let handler: Promise<ReturnType<Library['createMcpHandler']>> | undefined;

  async function load() {
    const library = await import('@modelcontextprotocol/server');
    return library.createMcpHandler(createFactory(library, { info, dispatchCall, connectors }));
  }

  /** Serves the MCP requests that `readPlainRequest` does not support. The first request loads the MCP library. */
  return async function serveByLibrary(request: McpRequest): Promise<void> {
    handler ??= load();
    const { fetch: respond } = await handler;
    const { apiRequest, body: parsedBody } = request;
    const disconnected = new AbortController();
    apiRequest.onClose(() => disconnected.abort());
    const authInfo = { token: '', clientId: '', scopes: [], extra: { request } };
    const webRequest = toWebRequest(apiRequest.request, disconnected.signal);
    const response = await respond(webRequest, { authInfo, parsedBody });
    const isUnreadable = isStream(response) && !takesStream(apiRequest.request.headers);
    await relay(isUnreadable ? await toJson(response) : response, apiRequest);
  };
}

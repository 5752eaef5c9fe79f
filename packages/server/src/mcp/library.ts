import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { CallToolResult, McpServerFactory, ServerContext } from '@modelcontextprotocol/server';
import type { Call } from '../front/call.js';
import type { InputRoom } from '../front/input-room.js';
import { isFailed, resultText, type ServerInfo } from './answer.js';
import { LIST_HINTS, linkParams } from './envelope.js';
import { CAPABILITIES, opensLinks } from './plain-request.js';
import type { ServeCall } from './serve-call.js';
import type { Surface } from './surface.js';

export interface LibraryParts {
  readonly info: ServerInfo;
  readonly serveCall: ServeCall;
  readonly titleOf: (connector: string) => string;
}

/** A request whose body has been read. */
export interface Asked {
  readonly surface: Surface;
  readonly call: Call;
  readonly isDry: boolean;
  readonly room: InputRoom;
  readonly body: unknown;
}

type Library = typeof import('@modelcontextprotocol/server');

/** No schema comes from a client that would have to be checked. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not supported' }),
};

const NO_CURSOR = 'There is no such cursor: the list has one page. Ask for it without one.';

const MOST_CHARACTERS = 2000;

/** What a model should know of the tools, before it sees any of them. */
function instructionsOf({ reach, tools, isBehind }: Surface, titleOf: (connector: string) => string): string {
  const used = new Set([...tools.values()].map(({ connector }) => connector));
  const several = [...reach].filter(([connector, names]) => used.has(connector) && names.length > 1);
  const titles = [...used].map((connector) => `${connector} (${titleOf(connector)})`).join(', ');
  return [
    `Tools that act for one user in: ${titles}. A tool is named after its service.`,
    isBehind && 'Find tools by search_tools, see their inputs by describe_tool, and call them by call_tool.',
    'When a result says account_not_authorized, show the user its link, and call again when they have approved.',
    several.length > 0 &&
      `The user has several accounts of ${several.map(([id]) => id).join(', ')}: ask which is meant.`,
    'When a result says that there is more, its next page is asked for as it says.',
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
    .slice(0, MOST_CHARACTERS);
}

interface Params {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

function progressOf({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (seconds: number) => {
    const params = { progressToken, progress: seconds, message: `Running for ${Math.round(seconds)} s.` };
    // A client that is gone is seen by the call itself.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Whether the client opens a link for its user, and has not been asked to for this call. */
function mayAsk({ mcpReq }: ServerContext): boolean {
  const { [CAPABILITIES]: capabilities }: { readonly [CAPABILITIES]?: unknown } = mcpReq.envelope ?? {};
  return opensLinks(capabilities) && mcpReq.inputResponses === undefined;
}

function createFactory(library: Library, { info, serveCall, titleOf }: LibraryParts): McpServerFactory {
  const { Server, ProtocolError, ProtocolErrorCode, inputRequired } = library;

  async function callTool(
    { surface, call, isDry, room }: Asked,
    { name, arguments: input = {} }: Params,
    context: ServerContext,
  ) {
    const onProgress = progressOf(context);
    const answer = await serveCall(name, { surface, call, isDry, room, input, onProgress });
    if (answer === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(name)}`);
    if (isFailed(answer)) call.errorCode = answer.code;
    if (isFailed(answer) && answer.link && mayAsk(context))
      return inputRequired({ inputRequests: { connect: inputRequired.elicitUrl(linkParams(answer.link)) } });
    const result: CallToolResult = JSON.parse(resultText(answer));
    return result;
  }

  return ({ authInfo }) => {
    // `serve` put it there.
    const asked = authInfo?.extra?.['asked'] as Asked;
    const server = new Server(info, {
      capabilities: { tools: {} },
      instructions: instructionsOf(asked.surface, titleOf),
      jsonSchemaValidator: NO_VALIDATOR,
      cacheHints: { 'tools/list': LIST_HINTS },
    });
    server.setRequestHandler('tools/list', ({ params }) => {
      // A list has one page, and no cursor that leads to another.
      if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_CURSOR);
      return { tools: JSON.parse(asked.surface.list.toString()) };
    });
    server.setRequestHandler('tools/call', ({ params }, context) => callTool(asked, params, context));
    return server;
  };
}

function toWebRequest({ method = '', headers }: IncomingMessage, signal: AbortSignal): Request {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') given.set(name, value);
  // Nobody reads the address.
  return new Request('http://mcp.invalid/', { method, headers: given, signal });
}

async function relay({ status, headers, body }: Response, call: Call): Promise<void> {
  for (const [name, value] of headers) if (name !== 'connection') call.headers[name] = value;
  call.response.writeHead(status, call.headers);
  if (body === null) return void call.response.end();
  // The two declarations of the same web stream differ, in the standard library's and in Node's types.
  const source = Readable.fromWeb(body as ReadableStream<Uint8Array>);
  // A client that goes away ends both.
  await pipeline(source, call.response).catch(() => undefined);
}

/** Answers whatever is not plain by the official library, which is loaded with the first such request. */
export function createLibrary(parts: LibraryParts) {
  let handler: Promise<ReturnType<Library['createMcpHandler']>> | undefined;

  async function load() {
    const library = await import('@modelcontextprotocol/server');
    return library.createMcpHandler(createFactory(library, parts));
  }

  return async (asked: Asked): Promise<void> => {
    handler ??= load();
    const { fetch: answer } = await handler;
    const gone = new AbortController();
    asked.call.onClose(() => gone.abort());
    const request = toWebRequest(asked.call.request, gone.signal);
    const authInfo = { token: '', clientId: '', scopes: [], extra: { asked } };
    await relay(await answer(request, { authInfo, parsedBody: asked.body }), asked.call);
  };
}

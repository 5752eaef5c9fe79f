import { ServiceError } from '../errors.js';
import {
  connectMcp,
  type McpClientOptions,
  type McpConnection,
  type McpDialect,
  type McpRequestOptions,
  toLibraryOptions,
} from './mcp-client.js';
import { listMcpTools } from './mcp-list.js';
import { mcpResultSchema } from './mcp-result.js';
import { callStateless } from './mcp-stateless-call.js';
import type { McpCall, McpResult, McpTool } from './mcp-tool.js';

/** An open connection to an MCP server, with a session on the server in the older revisions. */
export interface McpSession {
  readonly dialect: McpDialect;
  /** True when a call needs the definition of its tool, because headers follow from it. */
  readonly needsDefinitions: boolean;
  /** Tells from an error that the server has ended the session, or changed its dialect. */
  endedBy(error: unknown): 'session' | 'dialect' | undefined;
  list(options: McpRequestOptions): Promise<readonly McpTool[]>;
  call(call: McpCall, options: McpRequestOptions): Promise<McpResult>;
  /** Tells the server that it may forget the session. Never throws. */
  end(): Promise<void>;
}

const UNSUPPORTED_REVISION = -32_022;

const isAnswered = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof ServiceError &&
  error.code === 'upstream_failed' &&
  statuses.some((status) => status === error.details?.['status']);

const codeIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined;

// The library throws it, or the body of an error response to an old client holds it.
function isUnsupported(error: unknown): boolean {
  const body = error instanceof ServiceError ? error.details?.['body'] : undefined;
  const cause = typeof body === 'object' && body !== null && 'error' in body ? body.error : error;
  return codeIn(cause) === UNSUPPORTED_REVISION;
}

const ANNOTATION = 'x-mcp-header';
// Token of RFC 9110.
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVES: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

const isObjectOrList = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Yields every nested schema, and whether it describes a property that `properties` alone lead to. */
function* schemasIn(node: unknown, isProperty: boolean): Generator<[Record<string, unknown>, boolean]> {
  if (!isObjectOrList(node)) return;
  yield [node, isProperty];
  for (const [keyword, value] of Object.entries(node)) {
    const isMap = keyword === 'properties' && isObjectOrList(value);
    const children = isMap || Array.isArray(value) ? Object.values(value) : [value];
    for (const child of children) yield* schemasIn(child, isMap && isProperty);
  }
}

/**
 * True when the headers that repeat a tool's input can be sent: each is a token, of a primitive property, and occurs once.
 * MCP forbids calls of tools with other headers.
 */
export function hasSoundHeaders(inputSchema: Readonly<Record<string, unknown>>): boolean {
  const names = new Set<string>();
  for (const [schema, isProperty] of schemasIn(inputSchema, true)) {
    if (!(ANNOTATION in schema)) continue;
    const name = schema[ANNOTATION];
    const isSound = typeof name === 'string' && TOKEN.test(name) && PRIMITIVES.includes(schema['type']);
    if (!isSound || !isProperty || schema === inputSchema || names.has(name.toLowerCase())) return false;
    names.add(name.toLowerCase());
  }
  return true;
}

function toStateless({ client, dialect }: McpConnection): McpSession {
  return {
    dialect,
    needsDefinitions: true,
    // All three statuses also say that the server did nothing.
    endedBy: (error) => (isUnsupported(error) || isAnswered(error, 400, 404, 405) ? 'dialect' : undefined),
    list: async (request) =>
      (await listMcpTools(client, request)).filter(({ inputSchema }) => hasSoundHeaders(inputSchema)),
    call: (call, request) => callStateless(client, call, request),
    end: async () => undefined,
  };
}

function toSession({ client, transport, dialect }: McpConnection): McpSession {
  const { sessionId } = transport;
  return {
    dialect,
    needsDefinitions: false,
    endedBy: (error) => {
      if (isUnsupported(error)) return 'dialect';
      return sessionId !== undefined && isAnswered(error, 404) ? 'session' : undefined;
    },
    list: (request) => listMcpTools(client, request),
    call: ({ name, args }, request) =>
      client.request(
        { method: 'tools/call', params: { name, arguments: args } },
        mcpResultSchema,
        // Progress messages keep proxies on the way from closing a quiet connection.
        { ...toLibraryOptions(request), onprogress: () => undefined },
      ),
    end: () => transport.terminateSession().catch(() => undefined),
  };
}

/** Opens a session in the newest dialect of the server. Throws what the fetch and the library throw. */
export async function openMcpSession(
  client: McpClientOptions,
  options: McpRequestOptions,
): Promise<McpSession> {
  const connection = await connectMcp(client, options);
  return connection.dialect.kind === 'modern' ? toStateless(connection) : toSession(connection);
}

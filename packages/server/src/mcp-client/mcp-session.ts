import { ServiceError } from '../errors.js';
import {
  type ConnectedMcpClient,
  connectMcp,
  type McpClientOptions,
  type McpDialect,
  type McpRequestOptions,
  toLibraryOptions,
} from './mcp-client.js';
import { listMcpTools } from './mcp-list.js';
import { mcpResultSchema } from './mcp-result.js';
import { callStateless } from './mcp-stateless-call.js';
import type { McpCall, McpResult, McpTool } from './mcp-tool.js';

/** Open connection to an MCP server. Servers before MCP 2026-07-28 keep a session for it. */
export interface McpSession {
  readonly dialect: McpDialect;
  /**
   * True if `call` needs the tool's definition, because request headers repeat parts of the tool input (MCP
   * 2026-07-28).
   */
  readonly needsDefinitions: boolean;
  /**
   * Says what an error ended. `session`: the MCP server has ended the session. `dialect`: the server has changed its
   * protocol version. `undefined`: nothing.
   */
  endedBy(error: unknown): 'session' | 'dialect' | undefined;
  list(options: McpRequestOptions): Promise<readonly McpTool[]>;
  call(call: McpCall, options: McpRequestOptions): Promise<McpResult>;
  /** Requests the deletion of the session from the MCP server. Never rejects. */
  end(): Promise<void>;
}

const UNSUPPORTED_REVISION = -32_022;

const hasStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof ServiceError &&
  error.code === 'upstream_failed' &&
  statuses.some((status) => status === error.details?.['status']);

const codeIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined;

// True if the MCP server no longer supports our protocol version. The error comes from the MCP library, or is in the
// body of an HTTP error response.
function isUnsupported(error: unknown): boolean {
  const body = error instanceof ServiceError ? error.details?.['body'] : undefined;
  const cause = typeof body === 'object' && body !== null && 'error' in body ? body.error : error;
  return codeIn(cause) === UNSUPPORTED_REVISION;
}

const ANNOTATION = 'x-mcp-header';
// Syntax of an HTTP header name: the rule `token` of RFC 9110.
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVES: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

const isObjectOrList = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Yields a JSON schema and every schema nested in it. The second value is true if the path to the schema contains only
 * `properties` keywords, so no array or `anyOf`.
 */
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
 * True if the tool's `x-mcp-header` annotations are valid: each names a valid header once, for a property of a
 * primitive type. MCP forbids calls of tools with invalid annotations.
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

function toStateless({ client, dialect }: ConnectedMcpClient): McpSession {
  return {
    dialect,
    needsDefinitions: true,
    // An MCP server that changed its protocol version responds with 400, 404 or 405. The call may be repeated with the
    // new version, because the server did nothing for these statuses.
    endedBy: (error) => (isUnsupported(error) || hasStatus(error, 400, 404, 405) ? 'dialect' : undefined),
    list: async (request) =>
      (await listMcpTools(client, request)).filter(({ inputSchema }) => hasSoundHeaders(inputSchema)),
    call: (call, request) => callStateless(client, call, request),
    end: async () => undefined,
  };
}

function toSession({ client, transport, dialect }: ConnectedMcpClient): McpSession {
  const { sessionId } = transport;
  return {
    dialect,
    needsDefinitions: false,
    endedBy: (error) => {
      if (isUnsupported(error)) return 'dialect';
      return sessionId !== undefined && hasStatus(error, 404) ? 'session' : undefined;
    },
    list: (request) => listMcpTools(client, request),
    call: ({ name, args }, request) =>
      client.request(
        { method: 'tools/call', params: { name, arguments: args } },
        mcpResultSchema,
        // `onprogress` requests progress messages. They keep proxies between this service and the server from closing a
        // quiet connection.
        { ...toLibraryOptions(request), onprogress: () => undefined },
      ),
    end: () => transport.terminateSession().catch(() => undefined),
  };
}

/**
 * Opens a session in the newest protocol version that the MCP server supports. Rejects with errors of `mcpFetch` and of
 * the MCP library.
 */
export async function openMcpSession(
  client: McpClientOptions,
  options: McpRequestOptions,
): Promise<McpSession> {
  const connection = await connectMcp(client, options);
  return connection.dialect.kind === 'modern' ? toStateless(connection) : toSession(connection);
}

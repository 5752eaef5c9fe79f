import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { signIn } from '../service/application.js';
import type { Service } from '../service/service.js';

export interface TokenRequest {
  readonly [limit: string]: unknown;
}

/**
 * Issues an agent token for `user_42` that is valid for 10 minutes. `request` overrides fields of the default request.
 */
export async function mintToken(service: Service, request: TokenRequest = {}): Promise<string> {
  const { call } = await signIn(service);
  const body = { identifier: 'user_42', expiresIn: 600, ...request };
  const reply = await call('POST', '/v1/agent-tokens', { body });
  if (reply.status !== 201) throw new Error(`No token was made: ${reply.status} ${reply.text}`);
  return reply.json<{ token: string }>().token;
}

interface ConnectOptions {
  readonly token: string;
  readonly path?: string;
  readonly capabilities?: ConstructorParameters<typeof Client>[1] extends infer Options
    ? Options extends { capabilities?: infer Capabilities }
      ? Capabilities
      : never
    : never;
}

const CLIENT = { name: 'test', version: '1.0.0' };
const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

/** Connects the official MCP client, pinned to protocol revision 2026-07-28. */
export async function connectAgent(
  { url }: Service,
  { token, path = '/mcp', capabilities = {} }: ConnectOptions,
) {
  const options = { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const client = new Client(CLIENT, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url + path), bearer(token)));
  return client;
}

/** Connects the official MCP client of protocol revision 2025-11-25 (version 1 of the SDK). */
export async function connectEarlier({ url }: Service, { token, path = '/mcp' }: ConnectOptions) {
  const client = new EarlierClient(CLIENT);
  const transport = new EarlierTransport(new URL(url + path), bearer(token));
  // The SDK's type of a session id does not fit exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface RpcOptions {
  readonly token?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface RpcReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly message: {
    readonly result?: Readonly<Record<string, unknown>>;
    readonly error?: { readonly code: number; readonly message: string };
  };
}

/**
 * Sends a single JSON-RPC message of revision 2026-07-28 without a client library, so that tests control every header.
 */
export async function runAgent(
  { url }: Pick<Service, 'url'>,
  { method, params = {} }: { readonly method: string; readonly params?: Readonly<Record<string, unknown>> },
  { token, path = '/mcp', headers = {}, meta = {} }: RpcOptions,
): Promise<RpcReply> {
  const name = params['name'];
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, _meta: { ...META, ...meta } },
    }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    message: isJson ? JSON.parse(text) : {},
  };
}

/** Returns the text of the first content block of a tool result. */
export function firstText(result: object): string {
  const [first] = 'content' in result && Array.isArray(result.content) ? result.content : [];
  return String(first?.text);
}
